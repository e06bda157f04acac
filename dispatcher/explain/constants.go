package explain

// Who may write a field; see Writer.By.
const (
	ByStored     = "stored"
	ByUser       = "user"
	ByWebhook    = "webhook"
	ByDefaulting = "defaulting"
	ByConversion = "conversion"
	ByServer     = "server"
)

// The phases; see Round.Phase.
const (
	mutating   = "mutating"
	validating = "validating"
)
