// Package alb writes the AWS Application Load Balancers of a stack in the three
// forms in which people keep them: a Terraform override file, the attributes for
// the AWS CLI with a script that sets them, and annotations for the AWS Load
// Balancer Controller on Kubernetes.
//
// Each form changes timers only and leaves the rest of a balancer as it is. Every
// timer in force is written, defaults too: Terraform and the controller have other
// defaults for health checks than the balancer itself.
package alb
