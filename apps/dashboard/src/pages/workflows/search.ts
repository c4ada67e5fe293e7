import { oneOf, oneText, reader } from '../../search';

export const readWorkflowsSearch = reader({
  query: oneText,
  status: oneOf('ACTIVE', 'INACTIVE', 'ERROR'),
  page: oneText,
});
export type WorkflowsSearch = ReturnType<typeof readWorkflowsSearch>;
export type WorkflowStatus = NonNullable<WorkflowsSearch['status']>;

/** `step` is the stepId of the selected step, or the number of a step that is not saved. */
export const readWorkflowSearch = reader({
  part: oneOf('steps', 'settings', 'payload'),
  step: oneText,
  preview: oneOf('phone', 'desktop', 'off'),
  dialog: oneOf('versions', 'test-run'),
  version: oneText,
});
export type WorkflowSearch = ReturnType<typeof readWorkflowSearch>;
