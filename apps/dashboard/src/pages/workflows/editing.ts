import type { Draft, StepTypes, Workflow } from './draft';
import type { Sample } from './sample';
import type { WorkflowSearch } from './search';

export type Editing = {
  base: Workflow;
  draft: Draft;
  types: StepTypes;
  canWrite: boolean;
  /** Counts drafts that came from elsewhere than typing: fields that keep a text begin again. */
  resets: number;
  onChange(changes: Partial<Draft>): void;
  /** What previews and test runs use. */
  sample: Sample;
  onSample(changes: Sample): void;
  search: WorkflowSearch;
  onSearch(changes: Partial<WorkflowSearch>): void;
};
