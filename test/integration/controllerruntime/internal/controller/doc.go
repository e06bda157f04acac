// Package controller has a CronJob for each plan.
package controller
