package convert

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	eventsv1beta1 "k8s.io/api/events/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// events are of one kind in two groups, with other names for most fields.
func events() []family {
	return []family{{
		kind: "Event", resource: "events",
		hub: func() runtime.Object { return &eventsv1.Event{} },
		versions: []version{
			same(eventsv1.SchemeGroupVersion, (*eventsv1.Event)(nil)),
			same(eventsv1beta1.SchemeGroupVersion, (*eventsv1beta1.Event)(nil)),
			special(corev1.SchemeGroupVersion, eventFromCore, eventToCore).but(
				".count", ".deprecatedCount",
				".deprecatedFirstTimestamp", ".deprecatedLastTimestamp", ".deprecatedSource",
				".firstTimestamp", ".involvedObject", ".lastTimestamp", ".message", ".note",
				".regarding", ".reportingComponent", ".reportingController", ".source",
			),
		},
	}}
}

func eventFromCore(from *corev1.Event, hub *eventsv1.Event) error {
	hub.Regarding = from.InvolvedObject
	hub.Note = from.Message
	hub.ReportingController = from.ReportingController
	hub.DeprecatedSource = from.Source
	hub.DeprecatedFirstTimestamp = from.FirstTimestamp
	hub.DeprecatedLastTimestamp = from.LastTimestamp
	hub.DeprecatedCount = from.Count
	return nil
}

func eventToCore(hub *eventsv1.Event, to *corev1.Event) error {
	to.InvolvedObject = hub.Regarding
	to.Message = hub.Note
	to.ReportingController = hub.ReportingController
	to.Source = hub.DeprecatedSource
	to.FirstTimestamp = hub.DeprecatedFirstTimestamp
	to.LastTimestamp = hub.DeprecatedLastTimestamp
	to.Count = hub.DeprecatedCount
	return nil
}
