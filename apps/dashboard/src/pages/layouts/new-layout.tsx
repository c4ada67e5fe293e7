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

/** Creates a layout, or a copy of one. */
export function NewLayout({ copyOf, onClose }: { copyOf?: { layoutId: string; name: string }; onClose(): void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState(copyOf ? `Copy of ${copyOf.name}` : '');
  const [typedId, setTypedId] = useState<string>();
  const layoutId = typedId ?? identifierOf(name);
  const creation = useMutation({
    mutationFn: () =>
      unwrap(
        copyOf
          ? api.POST('/v2/layouts/{layoutId}/duplicate', {
              params: { path: { layoutId: copyOf.layoutId } },
              body: { name, layoutId },
            })
          : api.POST('/v2/layouts', { body: { name, layoutId } }),
      ),
    onSuccess: (layout) => {
      void queries.invalidateQueries({ queryKey: ['layouts'] });
      void navigate({ to: '/layouts', search: { layout: layout.layoutId } });
      onClose();
    },
  });
  const fields = creation.error instanceof ApiError ? creation.error.fields : {};
  return (
    <Dialog title={copyOf ? `Duplicate “${copyOf.name}”` : 'New layout'} onClose={onClose}>
      <Form error={creation.error} onSubmit={() => !creation.isPending && creation.mutate()}>
        <TextField label="Name" required autoFocus value={name} error={fields['name']} onChange={setName} />
        <TextField
          label="Layout id"
          required
          value={layoutId}
          error={fields['layoutId']}
          hint="The name that email steps and overrides use. It cannot be changed later."
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
