import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { chosenEnvironment } from '../../session/environment';
import { useSession } from '../../session/session';
import { ButtonLink } from '../../ui/button';
import { Columns, Select } from '../../ui/field';
import { Alert, Empty, Loaded, Page } from '../../ui/page';
import { type Environment, environmentsQuery } from '../settings/environments-data';
import type { Direction } from './data';
import { Differences } from './differences';
import { History } from './history';
import type { PromotionSearch } from './search';

export function PromotionPage() {
  const { scope, environmentId } = useSession();
  const environments = useQuery(environmentsQuery);
  return (
    <Page title="Promotion">
      <Loaded query={environments} lines={4}>
        {(all) =>
          scope === 'admin' ? (
            <Promotion environments={all} />
          ) : (
            <>
              <Alert tone="info">Only a key of the scope admin compares environments and publishes.</Alert>
              <History environmentId={environmentId} environments={all} canUndo={false} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

function Promotion({ environments }: { environments: Environment[] }) {
  const search = useSearch({ from: '/signed-in/promotion' });
  const navigate = useNavigate({ from: '/promotion' });
  const { environmentId } = useSession();
  if (environments.length < 2) {
    return (
      <Empty
        title="There is only one environment"
        action={
          <ButtonLink to="/settings" search={{ tab: 'environments' }}>
            Show the environments
          </ButtonLink>
        }
      >
        Create another one, such as Production. Then the content of this environment can be published to it.
      </Empty>
    );
  }
  const { source, target } = directionOf(search, environments, chosenEnvironment() ?? environmentId);
  const options = environments.map(({ _id, name }) => ({ value: _id, label: name }));
  const choose = (change: PromotionSearch) => void navigate({ search: { source, target, ...change } });
  return (
    <>
      <p>
        Workflows, layouts and translations are published. Subscribers, integrations, variables and keys stay as they
        are.
      </p>
      <Columns least="14rem">
        <Select
          label="From"
          value={source}
          options={options}
          onChange={(id) => choose(id === target ? { source: id, target: source } : { source: id })}
        />
        <Select
          label="To"
          value={target}
          options={options}
          onChange={(id) => choose(id === source ? { target: id, source: target } : { target: id })}
        />
      </Columns>
      <Differences
        key={`${source} ${target}`}
        direction={{ source, target }}
        targetName={environments.find(({ _id }) => _id === target)!.name}
      />
      <History environmentId={target} environments={environments} canUndo />
    </>
  );
}

/** By default from the environment of the page to the first one that takes its content from it, else any other. */
function directionOf(search: PromotionSearch, environments: Environment[], current: string): Direction {
  const known = (id: string | undefined) => environments.find(({ _id }) => _id === id)?._id;
  const source = known(search.source) ?? known(current) ?? environments[0]!._id;
  const others = environments.filter(({ _id }) => _id !== source);
  const wanted = known(search.target);
  const child = others.find(({ _parentId }) => _parentId === source);
  return { source, target: wanted && wanted !== source ? wanted : (child ?? others[0]!)._id };
}
