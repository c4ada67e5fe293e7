// Renders a chart with Go's text/template and sprig, as Helm does. Input and output are JSON.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type files map[string]string

func (all files) Get(path string) string { return all[path] }

type input struct {
	Templates map[string]string
	Files     files
	Data      map[string]interface{}
}

func main() {
	var in input
	check(json.NewDecoder(os.Stdin).Decode(&in))
	out, err := render(in)
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(out))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(in input) (map[string]string, error) {
	in.Data["Files"] = in.Files
	root := template.New("chart").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	run := func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	// What Helm adds to sprig and the chart uses.
	root.Funcs(template.FuncMap{
		"include": run,
		"toYaml": func(value interface{}) (string, error) {
			text, err := yaml.Marshal(value)
			return strings.TrimSuffix(string(text), "\n"), err
		},
	})
	for name, text := range in.Templates {
		if _, err := root.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	out := map[string]string{}
	for name := range in.Templates {
		text, err := run(name, in.Data)
		if err != nil {
			return nil, err
		}
		out[name] = text
	}
	return out, nil
}
