import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { TextField } from '../../ui/field';
import { NewButton } from '../../ui/new-button';
import { Empty, Filters, Loading, Page } from '../../ui/page';
import { Badge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { LayoutEditor } from './layout-editor';
import { NewLayout } from './new-layout';
import { layoutsQuery } from './queries';

export function LayoutsPage() {
  const { layout } = useSearch({ from: '/signed-in/layouts' });
  return layout === undefined ? <LayoutList /> : <LayoutEditor key={layout} layoutId={layout} />;
}

function LayoutList() {
  const { query } = useSearch({ from: '/signed-in/layouts' });
  const navigate = useNavigate({ from: '/layouts' });
  const list = useQuery(layoutsQuery(query));
  return (
    <Page
      title="Layouts"
      actions={
        <NewButton words="New layout" hasShortcut>
          {(onClose) => <NewLayout onClose={onClose} />}
        </NewButton>
      }
    >
      <Filters>
        <TextField
          label="Search"
          type="search"
          value={query ?? ''}
          placeholder="Name or layoutId"
          onChange={(typed) =>
            void navigate({ search: (before) => ({ ...before, query: typed || undefined }), replace: true })
          }
        />
      </Filters>
      {!list.data ? (
        <Loading query={list} lines={5} />
      ) : list.data.layouts.length === 0 ? (
        <NoLayouts isFiltered={query !== undefined} />
      ) : (
        <Table
          label="Layouts"
          rows={list.data.layouts}
          rowKey={({ _id }) => _id}
          columns={[
            {
              name: 'Name',
              cell: ({ name, layoutId, isDefault }) => (
                <span className="row">
                  <Link from="/layouts" to="." search={(before) => ({ ...before, layout: layoutId })}>
                    {name}
                  </Link>
                  {isDefault && <Badge tone="info">Default</Badge>}
                </span>
              ),
            },
            { name: 'Layout id', cell: ({ layoutId }) => <code>{layoutId}</code> },
            { name: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} relative /> },
          ]}
        />
      )}
    </Page>
  );
}

function NoLayouts({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return <Empty title="No layout matches">Change the search.</Empty>;
  }
  return (
    <Empty
      title="There are no layouts yet"
      command={
        `curl -X POST ${location.origin}/v2/layouts -H "Authorization: ApiKey $CLARION_API_KEY" \\\n` +
        `  -H "Content-Type: application/json" -d '{"layoutId":"plain","name":"Plain"}'`
      }
    >
      A layout is the HTML around the emails of workflows: a header, a footer, your colours.
    </Empty>
  );
}
