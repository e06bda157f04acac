package simulation

// Allow is the response of a healthy webhook.
var Allow = allow
