// Package gatewayapi writes the timeouts and retries of a stack's Gateway API layers
// as patches of the team's own HTTPRoutes, whose backends and ports a stack does not
// tell. Each patch first tests that a rule matches what the stack says.
package gatewayapi
