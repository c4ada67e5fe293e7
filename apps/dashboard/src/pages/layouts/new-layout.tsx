import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { NewDialog } from '../../ui/dialog';

export function NewLayout({ copyOf, onClose }: { copyOf?: { layoutId: string; name: string }; onClose(): void }) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return (
    <NewDialog
      title={copyOf ? `Duplicate “${copyOf.name}”` : 'New layout'}
      firstName={copyOf ? `Copy of ${copyOf.name}` : ''}
      id={{ field: 'layoutId', label: 'Layout id', hint: 'The name that email steps and overrides use.' }}
      create={(name, layoutId) =>
        unwrap(
          copyOf
            ? api.POST('/v2/layouts/{layoutId}/duplicate', {
                params: { path: { layoutId: copyOf.layoutId } },
                body: { name, layoutId },
              })
            : api.POST('/v2/layouts', { body: { name, layoutId } }),
        )
      }
      onCreated={(layout) => {
        void queries.invalidateQueries({ queryKey: ['layouts'] });
        void navigate({ to: '/layouts', search: { layout: layout.layoutId } });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
