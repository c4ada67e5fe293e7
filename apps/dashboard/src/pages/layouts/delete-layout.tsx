import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { Alert } from '../../ui/alert';
import { ConfirmDialog } from '../../ui/dialog';
import { messageOf } from '../../ui/messages';
import { Skeleton } from '../../ui/skeleton';
import { plural } from '../../ui/time';
import { showToast } from '../../ui/toasts';
import { Users } from './layout-usage';
import { type Layout, usageQuery } from './queries';

export function DeleteLayout({ layout, onClose }: { layout: Layout; onClose(): void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const usage = useQuery(usageQuery(layout.layoutId));
  const deletion = useMutation({
    mutationFn: () => unwrap(api.DELETE('/v2/layouts/{layoutId}', { params: { path: { layoutId: layout.layoutId } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['layouts'] });
      showToast('The layout is deleted.');
      void navigate({ to: '/layouts', search: {}, ignoreBlocker: true });
    },
  });
  return (
    <ConfirmDialog
      title={`Delete “${layout.name}”?`}
      action="Delete"
      isBusy={deletion.isPending}
      error={deletion.error && <Alert tone="bad">{messageOf(deletion.error)}</Alert>}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      {!usage.data ? (
        <Skeleton lines={2} />
      ) : usage.data.workflows.length === 0 ? (
        <p>No workflow uses it.</p>
      ) : (
        <>
          <p>{plural(usage.data.workflows.length, 'workflow')} would lose it, so it cannot be deleted yet:</p>
          <Users workflows={usage.data.workflows} />
        </>
      )}
    </ConfirmDialog>
  );
}
