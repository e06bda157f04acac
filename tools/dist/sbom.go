package main

import (
	"bytes"
	"time"

	cyclonedx "github.com/CycloneDX/cyclonedx-go"
)

// writeSBOM writes which modules the programs have code of.
func (r *release) writeSBOM() error {
	components := make([]cyclonedx.Component, 0, len(r.modules))
	for _, m := range r.modules {
		components = append(components, cyclonedx.Component{
			BOMRef: packageURL(m.path, m.version), PackageURL: packageURL(m.path, m.version),
			Type: cyclonedx.ComponentTypeLibrary, Name: m.path, Version: m.version,
		})
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{
		Timestamp: r.committed.Format(time.RFC3339),
		Component: &cyclonedx.Component{
			BOMRef: packageURL("example.com/gatehouse", r.version), PackageURL: packageURL("example.com/gatehouse", r.version),
			Type: cyclonedx.ComponentTypeApplication, Name: "gatehouse", Version: r.version,
			Licenses: &cyclonedx.Licenses{{License: &cyclonedx.License{ID: "Apache-2.0"}}},
		},
	}
	bom.Components = &components
	var out bytes.Buffer
	encoder := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true)
	if err := encoder.Encode(bom); err != nil {
		return err
	}
	return r.write("gatehouse_"+r.version+".cdx.json", out.Bytes())
}

func packageURL(path, version string) string { return "pkg:golang/" + path + "@" + version }
