// Package spring writes the clients of a stack's apps as Spring configuration: a
// class for each client, on Reactor Netty for a WebClient and on Apache HttpClient 5
// for RestTemplate and RestClient of any other, and application.yml for the server.
// The classes compile and hold with Spring 6.2 and 7.0.
//
// Each value stands in one place. HttpClient 5 takes most timers at two or three, and
// which one counts depends on its version and on Spring's; the emitted classes set
// each where it counts in all of them, and Spring's request factory sets none.
package spring
