import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { isStatus } from '../../api/error';
import { bodyOf, type Draft, type Workflow } from './draft';

type Save = {
  isBusy: boolean;
  error?: unknown;
  /** Why nothing was sent. */
  fault?: string;
  /** The workflow as another person saved it meanwhile. */
  conflict?: Workflow;
  run(options?: { force?: boolean }): void;
  forget(): void;
};

type Trouble = Pick<Save, 'error' | 'fault' | 'conflict'>;

/** Saves the draft unless another person saved the workflow after it was loaded, which its revision tells. */
export function useSave(base: Workflow, draft: Draft, onSaved: (workflow: Workflow, sent: Draft) => void): Save {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble>({});
  const params = { path: { workflowId: base.workflowId } };

  const run = async (force: boolean): Promise<void> => {
    const content = bodyOf(draft, base);
    if ('fault' in content) return setTrouble({ fault: content.fault });
    setBusy(true);
    try {
      const body = { ...content.body, ...(!force && { revision: base.revision }) };
      const saved = await unwrap(api.PUT('/v2/workflows/{workflowId}', { params, body }));
      setTrouble({});
      onSaved(saved, draft);
    } catch (error) {
      if (!isStatus(error, 409) || force) return setTrouble({ error });
      setTrouble({ conflict: await unwrap(api.GET('/v2/workflows/{workflowId}', { params })) });
    } finally {
      setBusy(false);
    }
  };
  return {
    isBusy,
    ...trouble,
    run: ({ force = false } = {}) => void (!isBusy && run(force).catch((error: unknown) => setTrouble({ error }))),
    forget: () => setTrouble({}),
  };
}
