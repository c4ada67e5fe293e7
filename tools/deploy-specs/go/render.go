// Renders charts with Go's text/template and sprig, as Helm does. Input and output are JSON.
package main

import (
	"encoding/json"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
)

type input struct {
	Templates map[string]string
	Files     map[string]string
	Data      map[string]interface{}
}

type files map[string]string

func (all files) Get(path string) string { return all[path] }

func main() {
	var all []input
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		panic(err)
	}
	outputs := []map[string]string{}
	for _, in := range all {
		outputs = append(outputs, render(in))
	}
	if err := json.NewEncoder(os.Stdout).Encode(outputs); err != nil {
		panic(err)
	}
}

func render(in input) map[string]string {
	in.Data["Files"] = files(in.Files)
	root := template.New("chart")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := root.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	// JSON is YAML too.
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	root.Funcs(functions).Option("missingkey=zero")
	for name, text := range in.Templates {
		template.Must(root.New(name).Parse(text))
	}
	out := map[string]string{}
	for name := range in.Templates {
		var text strings.Builder
		if err := root.ExecuteTemplate(&text, name, in.Data); err != nil {
			panic(err)
		}
		out[name] = text.String()
	}
	return out
}
