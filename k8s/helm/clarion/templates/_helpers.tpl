{{- /* The labels of a role: its argument is the name of the role. */ -}}
{{- define "clarion.selector" -}}
app.kubernetes.io/name: {{ . }}
app.kubernetes.io/part-of: clarion
{{- end -}}

{{- define "clarion.labels" -}}
{{ include "clarion.selector" . }}
app.kubernetes.io/component: {{ if hasPrefix "worker-" . }}worker{{ else }}{{ . }}{{ end }}
{{- end -}}

{{- define "clarion.settings" -}}
{{- range $name, $value := .Values.settings }}
{{- if $value }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}
{{- if .Values.traces.endpoint }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ .Values.traces.endpoint | quote }}
{{- end }}
{{- end -}}

{{- /* By digest when the role has one. Arguments: root, and the role whose image is used. */ -}}
{{- define "clarion.image" -}}
{{- $image := .root.Values.image -}}
{{- $role := index .root.Values.roles .role -}}
{{- if $image.registry }}{{ $image.registry }}/{{ end }}clarion-{{ .role }}
{{- if $role.digest }}@{{ $role.digest }}{{ else }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end -}}

{{- /* What the pods of all roles and of the migration share. Argument: root. */ -}}
{{- define "clarion.pod" -}}
automountServiceAccountToken: false
# Kubernetes would add variables like CLARION_GATEWAY_PORT for each Service.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  # May read the files of the Secret.
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- if .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml .root.Values.image.pullSecrets | nindent 2 }}
{{- end }}
volumes:
  - name: secrets
    secret:
      secretName: {{ .root.Values.secretName }}
      # 0440
      defaultMode: 288
      items:
        - { key: DATABASE_URL, path: DATABASE_URL }
        - { key: REDIS_URL, path: REDIS_URL }
        - { key: CLARION_ENCRYPTION_KEY, path: CLARION_ENCRYPTION_KEY }
{{- if .root.Values.authorities }}
  - name: authorities
    configMap: { name: {{ .root.Values.authorities }} }
{{- end }}
{{- end -}}

{{- /* What their containers share. Arguments: root, the role whose image is used, and more variables. */ -}}
{{- define "clarion.container" -}}
name: clarion
image: {{ include "clarion.image" . }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/clarion, readOnly: true }
{{- if .root.Values.authorities }}
  - { name: authorities, mountPath: /etc/clarion/authorities, readOnly: true }
{{- end }}
env:
  # Files, not values: the environment of a process is shown by more tools than its files.
  - { name: DATABASE_URL_FILE, value: /run/secrets/clarion/DATABASE_URL }
  - { name: REDIS_URL_FILE, value: /run/secrets/clarion/REDIS_URL }
  - { name: CLARION_ENCRYPTION_KEY_FILE, value: /run/secrets/clarion/CLARION_ENCRYPTION_KEY }
{{- if .root.Values.authorities }}
  - { name: NODE_EXTRA_CA_CERTS, value: /etc/clarion/authorities/ca.crt }
{{- end }}
{{- with .root.Values.extraEnv }}
{{- toYaml . | nindent 2 }}
{{- end }}
{{- with .extraEnv }}
{{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}
