import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { ApiError } from '../../api/error';
import { identifierOf } from '../../identifiers';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { workflowQuery } from './queries';

export function NewWorkflow({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [typedId, setTypedId] = useState<string>();
  const workflowId = typedId ?? identifierOf(name);
  const creation = useMutation({
    mutationFn: () => unwrap(api.POST('/v2/workflows', { body: { name, workflowId, steps: [] } })),
    onSuccess: (workflow) => {
      queries.setQueryData(workflowQuery(workflow.workflowId).queryKey, workflow);
      void queries.invalidateQueries({ queryKey: ['workflows'] });
      void navigate({ to: '/workflows/$workflowId', params: { workflowId: workflow.workflowId } });
    },
  });
  const fields = creation.error instanceof ApiError ? creation.error.fields : {};
  return (
    <Dialog title="New workflow" onClose={onClose}>
      <Form error={creation.error} onSubmit={() => !creation.isPending && creation.mutate()}>
        <TextField label="Name" required autoFocus value={name} error={fields['name']} onChange={setName} />
        <TextField
          label="Workflow id"
          required
          value={workflowId}
          error={fields['workflowId']}
          hint="The name that triggers use. It cannot be changed later."
          onChange={setTypedId}
        />
        <div>
          <Button type="submit" kind="primary" isBusy={creation.isPending}>
            Create
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
