package explain

// The values of Writer.By.
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
