// Soak runs an engine under load, faults and change for as long as one likes, and tells
// whether it has kept its promises.
//
//	soak -mode=churn     requests while configurations change (package churn)
//	soak -mode=wide      very many requests with many webhooks each (package wide)
//	soak -mode=punctual  how exactly timeouts are kept, for every fault (package punctual)
//	soak -mode=bombs     answers without end under a memory limit (package bombs)
//
// It prints its figures and what was not as promised, and ends with 1 if there was
// something, with 2 if there could be no run. ^C ends a run early; what was seen until
// then is reported.
//
// Around the modes: vitals (how the process is), tally (counting), request (what is
// sent), cluster (the API and its informers), backend (webhooks) and model (what has to
// happen). Package promise says what is promised one by one, and package calibration
// shows that the promises can be broken: by kube-apiserver's plugins, some of them, and
// each by a fault in the engine.
//
// What it does not do: dial anything but loopback addresses.
package main
