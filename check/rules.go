package check

// Rules are all rules in the order of their ids. An id is never used again for
// something else.
var Rules = []*Rule{
	capacity,
	drainOrder,
	ejection,
	errorRoom,
	freshBudgets,
	gapOnly,
	hiddenRetry,
	ignoredValue,
	implicit,
	keepaliveRace,
	neverFires,
	noLimit,
	orphanWork,
	ping,
	platformCap,
	poolSize,
	poolTotal,
	poolWait,
	probe,
	rejected,
	retryAmplification,
	retryBudget,
	retryUnsafe,
	shadowed,
	sharedPools,
	stickyLimit,
	streamCut,
	suppression,
	tailLatency,
	unitTrap,
	uploadCut,
	versionBoundary,
	within,
	zeroIsInfinite,
}

// Find is the rule with an id; nil if there is none.
func Find(id string) *Rule {
	for _, r := range Rules {
		if r.ID == id {
			return r
		}
	}
	return nil
}
