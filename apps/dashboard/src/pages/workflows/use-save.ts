import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { bodyOf, type Draft, type Workflow } from './draft';

type Save = {
  isBusy: boolean;
  /** What the gateway answered to the last save. */
  error?: unknown;
  /** Why nothing was sent. */
  fault?: string;
  /** The workflow as another person saved it meanwhile. */
  conflict?: Workflow;
  run(options?: { force?: boolean }): void;
  forget(): void;
};

type Trouble = Pick<Save, 'error' | 'fault' | 'conflict'>;

/** Saves the draft unless another person saved the workflow after it was loaded. */
export function useSave(base: Workflow, draft: Draft, onSaved: (workflow: Workflow) => void): Save {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>({});
  const params = { path: { workflowId: base.workflowId } };

  const run = async (force: boolean): Promise<void> => {
    const content = bodyOf(draft, base);
    if ('fault' in content) return setTrouble({ fault: content.fault });
    setBusy(true);
    try {
      const now = await unwrap(api.GET('/v2/workflows/{workflowId}', { params }));
      if (!force && now.updatedAt !== base.updatedAt) return setTrouble({ conflict: now });
      const saved = await unwrap(api.PUT('/v2/workflows/{workflowId}', { params, body: content.body }));
      setTrouble({});
      onSaved(saved);
    } catch (error) {
      setTrouble({ error });
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    ...trouble,
    run: ({ force = false } = {}) => void (!isBusy && run(force)),
    forget: () => setTrouble({}),
  };
}
