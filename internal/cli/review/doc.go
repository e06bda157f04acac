// Package review is the command `gatehouse review`: it prints what a webhook would be
// sent, and calls none.
//
// It takes the steps of `gatehouse run` with a catcher behind the webhooks, which keeps
// what they are sent and lets everything pass. So what is printed is what the engine
// sends, down to the byte if asked for, and nothing is built a second time. The answer
// is no if the webhook is not called for an object; a notice says why.
//
// The engine calls the catcher from goroutines of its own; everything else is one
// goroutine. A webhook that there is not is a mistake in the input. Since nobody is
// called, nobody changes the objects: a webhook that comes after others is shown what
// they would be shown.
package review
