import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, unwrap } from '../../api/client';
import { DeleteDialog } from '../../ui/dialog';
import { plural } from '../../ui/time';
import { Users } from './layout-usage';
import { type Layout, usageQuery } from './queries';

export function DeleteLayout({ layout, onClose }: { layout: Layout; onClose(): void }) {
  const navigate = useNavigate();
  const { layoutId } = layout;
  return (
    <DeleteDialog
      name={`“${layout.name}”`}
      usage={useQuery(usageQuery(layoutId))}
      run={() => unwrap(api.DELETE('/v2/layouts/{layoutId}', { params: { path: { layoutId } } }))}
      stale={['layouts']}
      done="The layout is deleted."
      then={() => navigate({ to: '/layouts', search: {}, ignoreBlocker: true })}
      onClose={onClose}
    >
      {({ workflows }) =>
        workflows.length === 0 ? (
          <p>No workflow uses it.</p>
        ) : (
          <>
            <p>{plural(workflows.length, 'workflow')} would lose it, so it cannot be deleted yet:</p>
            <Users workflows={workflows} />
          </>
        )
      }
    </DeleteDialog>
  );
}
