export type WorkflowsSearch = object;

export const readWorkflowsSearch = (): WorkflowsSearch => ({});

export type WorkflowSearch = object;

export const readWorkflowSearch = (): WorkflowSearch => ({});
