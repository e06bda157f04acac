package convert

import (
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
)

func eventToEvents(from *corev1.Event) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:               from.ObjectMeta,
		EventTime:                from.EventTime,
		Series:                   (*eventsv1.EventSeries)(from.Series),
		ReportingController:      from.ReportingController,
		ReportingInstance:        from.ReportingInstance,
		Action:                   from.Action,
		Reason:                   from.Reason,
		Regarding:                from.InvolvedObject,
		Related:                  from.Related,
		Note:                     from.Message,
		Type:                     from.Type,
		DeprecatedSource:         from.Source,
		DeprecatedFirstTimestamp: from.FirstTimestamp,
		DeprecatedLastTimestamp:  from.LastTimestamp,
		DeprecatedCount:          from.Count,
	}
}

func eventToCore(from *eventsv1.Event) *corev1.Event {
	return &corev1.Event{
		ObjectMeta:          from.ObjectMeta,
		InvolvedObject:      from.Regarding,
		Reason:              from.Reason,
		Message:             from.Note,
		Source:              from.DeprecatedSource,
		FirstTimestamp:      from.DeprecatedFirstTimestamp,
		LastTimestamp:       from.DeprecatedLastTimestamp,
		Count:               from.DeprecatedCount,
		Type:                from.Type,
		EventTime:           from.EventTime,
		Series:              (*corev1.EventSeries)(from.Series),
		Action:              from.Action,
		Related:             from.Related,
		ReportingController: from.ReportingController,
		ReportingInstance:   from.ReportingInstance,
	}
}
