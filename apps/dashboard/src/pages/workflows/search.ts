import { oneOf, oneText } from '../../search';

export type WorkflowsSearch = { query?: string; status?: WorkflowStatus; page?: string };

export const WORKFLOW_STATUSES = ['ACTIVE', 'INACTIVE', 'ERROR'] as const;
export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

export const readWorkflowsSearch = (search: Record<string, unknown>): WorkflowsSearch => ({
  query: oneText(search, 'query'),
  status: oneOf(search, 'status', WORKFLOW_STATUSES),
  page: oneText(search, 'page'),
});

const EDITOR_PARTS = ['steps', 'settings', 'payload'] as const;
export type EditorPart = (typeof EDITOR_PARTS)[number];
const PREVIEW_WIDTHS = ['phone', 'desktop', 'off'] as const;
export type PreviewWidth = (typeof PREVIEW_WIDTHS)[number];

export type WorkflowSearch = {
  part?: EditorPart;
  /** The stepId of the selected step, or the number of a step that is not saved. */
  step?: string;
  preview?: PreviewWidth;
  dialog?: 'versions' | 'test-run';
  version?: string;
};

export const readWorkflowSearch = (search: Record<string, unknown>): WorkflowSearch => ({
  part: oneOf(search, 'part', EDITOR_PARTS),
  step: oneText(search, 'step'),
  preview: oneOf(search, 'preview', PREVIEW_WIDTHS),
  dialog: oneOf(search, 'dialog', ['versions', 'test-run'] as const),
  version: oneText(search, 'version'),
});
