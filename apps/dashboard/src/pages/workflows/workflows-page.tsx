import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CHANNEL_NAMES } from '../../api/channels';
import { api, type Schemas, unwrap } from '../../api/client';
import { Button } from '../../ui/button';
import { Select, TextField } from '../../ui/field';
import { NewButton } from '../../ui/new-button';
import { Empty, Filters, Loading, Page } from '../../ui/page';
import { formatShare } from '../../ui/share';
import { Badge, type Tone } from '../../ui/status';
import { type Column, Table } from '../../ui/table';
import { formatNumber, plural, Time } from '../../ui/time';
import { NewWorkflow } from './new-workflow';
import type { WorkflowsSearch, WorkflowStatus } from './search';
import styles from './workflows.module.css';

type Overview = Schemas['WorkflowOverviewDto'];
type Statistics = Schemas['WorkflowStatisticsDto'];

const PAGE_SIZE = 25;
const STATISTICS_DAYS = 7;

const STATUSES: Record<WorkflowStatus, { tone: Tone; word: string }> = {
  ACTIVE: { tone: 'good', word: 'Active' },
  INACTIVE: { tone: 'calm', word: 'Inactive' },
  ERROR: { tone: 'bad', word: 'Has issues' },
};

const listQuery = ({ query, status, page }: WorkflowsSearch) =>
  queryOptions({
    queryKey: ['workflows', query, status, page],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v2/workflows', {
          params: {
            query: {
              query,
              status: status && [status],
              limit: PAGE_SIZE,
              offset: offsetOf(page),
              orderBy: 'updatedAt',
            },
          },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

/** The list works without the figures: the page shows a dash when they cannot be read. */
const statisticsQuery = () =>
  queryOptions({
    queryKey: ['workflow-statistics'],
    queryFn: async ({ signal }): Promise<Map<string, Statistics>> => {
      const after = new Date(Date.now() - STATISTICS_DAYS * 86_400_000).toISOString();
      const { data } = await unwrap(api.GET('/v2/workflows/statistics', { params: { query: { after } }, signal }));
      return new Map(data.map((row) => [row._id, row]));
    },
    retry: false,
  });

const offsetOf = (page: string | undefined): number => {
  const number = Number(page ?? 1);
  return Number.isInteger(number) && number > 1 ? (number - 1) * PAGE_SIZE : 0;
};

export function WorkflowsPage() {
  const search = useSearch({ from: '/signed-in/workflows' });
  const navigate = useNavigate({ from: '/workflows' });
  const list = useQuery(listQuery(search));
  const statistics = useQuery(statisticsQuery());
  const set = (changes: Partial<WorkflowsSearch>): void =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...changes }), replace: true });

  return (
    <Page
      title="Workflows"
      actions={
        <NewButton words="New workflow" hasShortcut>
          {(onClose) => <NewWorkflow onClose={onClose} />}
        </NewButton>
      }
    >
      <Filters>
        <TextField
          label="Search"
          type="search"
          value={search.query ?? ''}
          placeholder="Name or workflowId"
          onChange={(query) => set({ query: query || undefined })}
        />
        <Select
          label="Status"
          value={search.status ?? ''}
          options={[
            { value: '', label: 'Every status' },
            ...Object.entries(STATUSES).map(([value, { word }]) => ({ value, label: word })),
          ]}
          onChange={(status) => set({ status: (status || undefined) as WorkflowStatus | undefined })}
        />
      </Filters>
      {!list.data ? (
        <Loading query={list} lines={8} />
      ) : list.data.workflows.length === 0 ? (
        <NoWorkflows isFiltered={Boolean(search.query ?? search.status)} />
      ) : (
        <>
          <Table
            label="Workflows"
            columns={columnsOf(statistics.data)}
            rows={list.data.workflows}
            rowKey={({ _id }) => _id}
          />
          <Pages search={search} total={list.data.totalCount} onPage={(page) => set({ page })} />
        </>
      )}
    </Page>
  );
}

function columnsOf(statistics: Map<string, Statistics> | undefined): Column<Overview>[] {
  return [
    {
      name: 'Name',
      cell: ({ name, workflowId }) => (
        <div className={styles['nameCell']}>
          <Link to="/workflows/$workflowId" params={{ workflowId }}>
            {name}
          </Link>
          <code>{workflowId}</code>
        </div>
      ),
    },
    {
      name: 'Status',
      cell: ({ status, active }) => (
        <span className="row">
          <Badge tone={STATUSES[status].tone}>{STATUSES[status].word}</Badge>
          {status === 'ERROR' && !active && <Badge tone="calm">Inactive</Badge>}
        </span>
      ),
    },
    {
      name: 'Steps',
      cell: ({ stepTypeOverviews: types }) => types.map((type) => typeWord(type)).join(' → '),
    },
    {
      name: 'Tags',
      cell: ({ tags }) => (
        <span className="row">
          {tags.map((tag) => (
            <span key={tag} className={styles['tag']}>
              {tag}
            </span>
          ))}
        </span>
      ),
    },
    {
      name: 'Last run',
      cell: ({ _id, lastTriggeredAt }) => {
        const at = statistics?.get(_id)?.lastTriggeredAt ?? lastTriggeredAt;
        return at ? <Time at={at} relative /> : 'Never';
      },
    },
    {
      name: `Steps in ${STATISTICS_DAYS} days`,
      isNumber: true,
      cell: ({ _id }) => (statistics ? formatNumber(statistics.get(_id)?.accepted ?? 0) : '–'),
    },
    { name: 'Failed', isNumber: true, cell: ({ _id }) => failureRate(statistics?.get(_id)) },
  ];
}

const WORDS: Partial<Record<string, string>> = CHANNEL_NAMES;
const typeWord = (type: string): string => WORDS[type] ?? type[0]!.toUpperCase() + type.slice(1);

function failureRate(row: Statistics | undefined): string {
  const ended = row ? row.delivered + row.failed : 0;
  return formatShare(row?.failed ?? 0, ended);
}

function Pages({ search, total, onPage }: { search: WorkflowsSearch; total: number; onPage(page: string): void }) {
  const offset = offsetOf(search.page);
  const page = offset / PAGE_SIZE + 1;
  return (
    <div className="row">
      <span>{plural(total, 'workflow')}</span>
      {total > PAGE_SIZE && (
        <>
          <Button disabled={page === 1} onClick={() => onPage(String(page - 1))}>
            Previous page
          </Button>
          <Button disabled={offset + PAGE_SIZE >= total} onClick={() => onPage(String(page + 1))}>
            Next page
          </Button>
        </>
      )}
    </div>
  );
}

function NoWorkflows({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return <Empty title="No workflow matches">Change the search or the status.</Empty>;
  }
  return (
    <Empty
      title="There are no workflows yet"
      command={
        `curl -X POST ${location.origin}/v2/workflows -H "Authorization: ApiKey $CLARION_API_KEY" \\\n` +
        `  -H "Content-Type: application/json" \\\n` +
        `  -d '{"name":"Welcome","workflowId":"welcome","steps":[{"name":"Mail","type":"email",` +
        `"controlValues":{"subject":"Welcome","body":"<p>Hello {{payload.name}}</p>"}}]}'`
      }
    >
      <p>A workflow is the list of steps that a trigger runs. Create one with “New workflow”, or through the API:</p>
    </Empty>
  );
}
