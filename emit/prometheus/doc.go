// Package prometheus writes alert rules for the budgets of a stack: a layer that
// gave up although the one behind it had to answer first, a call that waited for a
// pooled connection, and answers that come near to the limit on them. It knows the
// metrics of the products by their own documentation, and says of which it knows
// none.
package prometheus
