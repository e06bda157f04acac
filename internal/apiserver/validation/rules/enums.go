package rules

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	storagev1 "k8s.io/api/storage/v1"
)

func enumRules() []rule {
	return append(coreEnums(), otherEnums()...)
}

func coreEnums() []rule {
	return []rule{
		enum(corev1.RestartPolicyAlways, corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever),
		enum(corev1.ContainerRestartPolicyAlways, corev1.ContainerRestartPolicyNever,
			corev1.ContainerRestartPolicyOnFailure),
		enum(corev1.PullAlways, corev1.PullIfNotPresent, corev1.PullNever),
		enum(corev1.DNSClusterFirstWithHostNet, corev1.DNSClusterFirst, corev1.DNSDefault,
			corev1.DNSNone),
		enum(corev1.ProtocolSCTP, corev1.ProtocolTCP, corev1.ProtocolUDP),
		enum(corev1.TerminationMessageReadFile, corev1.TerminationMessageFallbackToLogsOnError),
		enum(corev1.URISchemeHTTP, corev1.URISchemeHTTPS),
		enum(corev1.MountPropagationBidirectional, corev1.MountPropagationHostToContainer,
			corev1.MountPropagationNone),
		enum(corev1.PersistentVolumeBlock, corev1.PersistentVolumeFilesystem),
		enum(corev1.ReadOnlyMany, corev1.ReadWriteMany, corev1.ReadWriteOnce, corev1.ReadWriteOncePod),
		enum(corev1.PersistentVolumeReclaimDelete, corev1.PersistentVolumeReclaimRecycle,
			corev1.PersistentVolumeReclaimRetain),
		enum(corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule,
			corev1.TaintEffectNoExecute),
		enum(corev1.TolerationOpEqual, corev1.TolerationOpExists, corev1.TolerationOpLt,
			corev1.TolerationOpGt),
		enum(corev1.FSGroupChangeAlways, corev1.FSGroupChangeOnRootMismatch),
		enum(corev1.SeccompProfileTypeLocalhost, corev1.SeccompProfileTypeRuntimeDefault,
			corev1.SeccompProfileTypeUnconfined),
		enum(corev1.AppArmorProfileTypeLocalhost, corev1.AppArmorProfileTypeRuntimeDefault,
			corev1.AppArmorProfileTypeUnconfined),
		enum(corev1.DefaultProcMount, corev1.UnmaskedProcMount),
		enum(corev1.DoNotSchedule, corev1.ScheduleAnyway),
		enum(corev1.NodeInclusionPolicyHonor, corev1.NodeInclusionPolicyIgnore),
		enum(corev1.PreemptNever, corev1.PreemptLowerPriority),
		enum(corev1.NotRequired, corev1.RestartContainer),
		enum(corev1.HostPathBlockDev, corev1.HostPathCharDev, corev1.HostPathDirectory,
			corev1.HostPathDirectoryOrCreate, corev1.HostPathFile, corev1.HostPathFileOrCreate,
			corev1.HostPathSocket),
		enum(corev1.Linux, corev1.Windows),
		enum(corev1.ServiceTypeClusterIP, corev1.ServiceTypeExternalName,
			corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeNodePort),
		enum(corev1.ServiceAffinityClientIP, corev1.ServiceAffinityNone),
		enum(corev1.ServiceExternalTrafficPolicyCluster, corev1.ServiceExternalTrafficPolicyLocal),
		enum(corev1.ServiceInternalTrafficPolicyCluster, corev1.ServiceInternalTrafficPolicyLocal),
		enum(corev1.IPv4Protocol, corev1.IPv6Protocol),
		enum(corev1.IPFamilyPolicyPreferDualStack, corev1.IPFamilyPolicyRequireDualStack,
			corev1.IPFamilyPolicySingleStack),
		enum(corev1.ResourceQuotaScopeBestEffort, corev1.ResourceQuotaScopeCrossNamespacePodAffinity,
			corev1.ResourceQuotaScopeNotBestEffort, corev1.ResourceQuotaScopeNotTerminating,
			corev1.ResourceQuotaScopePriorityClass, corev1.ResourceQuotaScopeTerminating,
			corev1.ResourceQuotaScopeVolumeAttributesClass),
		enum(corev1.SupplementalGroupsPolicyMerge, corev1.SupplementalGroupsPolicyStrict),
	}
}

func otherEnums() []rule {
	return []rule{
		enum(appsv1.RecreateDeploymentStrategyType, appsv1.RollingUpdateDeploymentStrategyType),
		enum(appsv1.OnDeleteDaemonSetStrategyType, appsv1.RollingUpdateDaemonSetStrategyType),
		enum(appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
			appsv1.RetainPersistentVolumeClaimRetentionPolicyType),
		enum(batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent),
		enum(batchv1.IndexedCompletion, batchv1.NonIndexedCompletion),
		enum(batchv1.Failed, batchv1.TerminatingOrFailed),
		enum(batchv1.PodFailurePolicyActionCount, batchv1.PodFailurePolicyActionFailIndex,
			batchv1.PodFailurePolicyActionFailJob, batchv1.PodFailurePolicyActionIgnore),
		enum(batchv1.PodFailurePolicyOnExitCodesOpIn, batchv1.PodFailurePolicyOnExitCodesOpNotIn),
		enum(autoscalingv2.ContainerResourceMetricSourceType, autoscalingv2.ExternalMetricSourceType,
			autoscalingv2.ObjectMetricSourceType, autoscalingv2.PodsMetricSourceType,
			autoscalingv2.ResourceMetricSourceType),
		enum(autoscalingv2.UtilizationMetricType, autoscalingv2.ValueMetricType,
			autoscalingv2.AverageValueMetricType),
		enum(autoscalingv2.DisabledPolicySelect, autoscalingv2.MaxChangePolicySelect,
			autoscalingv2.MinChangePolicySelect),
		enum(autoscalingv2.PercentScalingPolicy, autoscalingv2.PodsScalingPolicy),
		enum(networkingv1.PathTypeExact, networkingv1.PathTypeImplementationSpecific,
			networkingv1.PathTypePrefix),
		enum(networkingv1.PolicyTypeEgress, networkingv1.PolicyTypeIngress),
		enum(policyv1.AlwaysAllow, policyv1.IfHealthyBudget),
		enum(storagev1.VolumeBindingImmediate, storagev1.VolumeBindingWaitForFirstConsumer),
		enum(storagev1.FileFSGroupPolicy, storagev1.NoneFSGroupPolicy,
			storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy),
		enum(storagev1.VolumeLifecycleEphemeral, storagev1.VolumeLifecyclePersistent),
		enum(flowcontrolv1.FlowDistinguisherMethodByNamespaceType,
			flowcontrolv1.FlowDistinguisherMethodByUserType),
		enum(flowcontrolv1.LimitResponseTypeQueue, flowcontrolv1.LimitResponseTypeReject),
		enum(flowcontrolv1.PriorityLevelEnablementExempt, flowcontrolv1.PriorityLevelEnablementLimited),
		enum(flowcontrolv1.SubjectKindGroup, flowcontrolv1.SubjectKindServiceAccount,
			flowcontrolv1.SubjectKindUser),
		enum(keyUsages()...),
	}
}

func keyUsages() []certificatesv1.KeyUsage {
	return []certificatesv1.KeyUsage{
		certificatesv1.UsageAny, certificatesv1.UsageCRLSign, certificatesv1.UsageCertSign,
		certificatesv1.UsageClientAuth, certificatesv1.UsageCodeSigning,
		certificatesv1.UsageContentCommitment, certificatesv1.UsageDataEncipherment,
		certificatesv1.UsageDecipherOnly, certificatesv1.UsageDigitalSignature,
		certificatesv1.UsageEmailProtection, certificatesv1.UsageEncipherOnly,
		certificatesv1.UsageIPsecEndSystem, certificatesv1.UsageIPsecTunnel,
		certificatesv1.UsageIPsecUser, certificatesv1.UsageKeyAgreement,
		certificatesv1.UsageKeyEncipherment, certificatesv1.UsageMicrosoftSGC,
		certificatesv1.UsageNetscapeSGC, certificatesv1.UsageOCSPSigning, certificatesv1.UsageSMIME,
		certificatesv1.UsageServerAuth, certificatesv1.UsageSigning, certificatesv1.UsageTimestamping,
	}
}
