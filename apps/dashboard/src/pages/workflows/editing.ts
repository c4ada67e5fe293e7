import type { Draft, StepTypes, Workflow } from './draft';
import type { WorkflowSearch } from './search';

export type Editing = {
  /** The workflow as it is saved, with the issues of its steps. */
  base: Workflow;
  draft: Draft;
  types: StepTypes;
  canWrite: boolean;
  /** Counts drafts that came from elsewhere than typing: fields that keep a text begin again. */
  resets: number;
  onChange(changes: Partial<Draft>): void;
  search: WorkflowSearch;
  onSearch(changes: Partial<WorkflowSearch>): void;
};
