import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client';
import { Loaded, Section } from '../../ui/page';
import { usageQuery } from './queries';

export function LayoutUsage({ layoutId, isDefault }: { layoutId: string; isDefault: boolean }) {
  const usage = useQuery(usageQuery(layoutId));
  return (
    <Section title="Used by">
      <Loaded query={usage} lines={2}>
        {({ workflows }) =>
          workflows.length === 0 ? (
            <p>No workflow uses it{isDefault && ', although it is the default'}.</p>
          ) : (
            <>
              {isDefault && <p>It is the default, so email steps without a layout use it too:</p>}
              <Users workflows={workflows} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

type UsersProps = Pick<Schemas['LayoutUsageDto'], 'workflows'> & { layouts?: { layoutId: string; name: string }[] };

export function Users({ workflows, layouts = [] }: UsersProps) {
  return (
    <ul className="bullets">
      {workflows.map(({ workflowId, name }) => (
        <li key={workflowId}>
          <Link to="/workflows/$workflowId" params={{ workflowId }}>
            {name}
          </Link>
        </li>
      ))}
      {layouts.map(({ layoutId, name }) => (
        <li key={layoutId}>
          <Link to="/layouts" search={{ layout: layoutId }}>
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
}
