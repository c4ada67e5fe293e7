/** An issue of a template without the name of a variable is a template that does not compile. */
const TEMPLATE_FAULTS = `
  (SELECT array_agg(format('step "%s", %s: %s', s ->> 'stepId', c.name, i ->> 'message'))
     FROM jsonb_array_elements(v.steps) s
    CROSS JOIN LATERAL jsonb_each(coalesce(s #> '{issues,controls}', '{}')) AS c (name, issues)
    CROSS JOIN LATERAL jsonb_array_elements(c.issues) i
    WHERE (s ->> 'active')::boolean AND i ->> 'issueType' = 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE'
      AND NOT i ? 'variableName')`;

/** How alike names are, from 0 to 1, so that one is suggested for the other. */
const ALIKE = 0.3;

/** What triggers need of the workflows with the workflowIds $2. */
export const TRIGGERABLE = `
SELECT t.id, t.workflow_id, t.current_version AS version, t.active, t.validate_payload, t.payload_schema,
        coalesce(octet_length(t.payload_schema::text), 0) AS payload_schema_bytes, t.severity, t.preferences,
        jsonb_array_length(v.steps) AS step_count,
        (SELECT count(*)::int FROM jsonb_array_elements(v.steps) s
          WHERE (s ->> 'active')::boolean) AS active_step_count,
        ${TEMPLATE_FAULTS} AS template_faults
   FROM workflow t JOIN workflow_version v ON v.workflow_id = t.id AND v.version = t.current_version
  WHERE t.environment_id = $1 AND t.deleted_at IS NULL AND t.workflow_id = ANY ($2)`;

/** For each of the names $2 that has one: the workflowId that is most like it. */
export const NEAREST = `
SELECT asked.name, near.workflow_id FROM unnest($2::text[]) AS asked (name)
  CROSS JOIN LATERAL (
    SELECT t.workflow_id, similarity(t.workflow_id, asked.name) AS alike FROM workflow t
     WHERE t.environment_id = $1 AND t.deleted_at IS NULL ORDER BY 2 DESC, 1 LIMIT 1) near
  WHERE near.alike > ${ALIKE}`;
