// Package nginx writes the NGINX layers of a stack as two files each: one to
// include in server {}, with a location for every route, and one for http {},
// with the upstreams. Every timer in force is written, defaults too, so that a
// newer NGINX or an outer block cannot move one.
//
// Comments name the setting path in the stack, never a line of it.
package nginx
