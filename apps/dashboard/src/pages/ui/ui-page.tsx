import { useState } from 'react';
import { Alert } from '../../ui/alert';
import { Button } from '../../ui/button';
import { CodeBlock } from '../../ui/code-block';
import { ConfirmDialog } from '../../ui/dialog';
import { Diff } from '../../ui/diff';
import { Empty } from '../../ui/empty';
import { Facts } from '../../ui/facts';
import { CheckBox, Select, TextArea, TextField } from '../../ui/field';
import { MessageFrame } from '../../ui/message-frame';
import { Page, Section } from '../../ui/page';
import { Progress } from '../../ui/progress';
import { Skeleton } from '../../ui/skeleton';
import { Badge, OUTCOME_NAMES, OutcomeBadge } from '../../ui/status';
import { Table } from '../../ui/table';
import { Tabs } from '../../ui/tabs';
import { formatDuration, plural, Time } from '../../ui/time';
import { showToast } from '../../ui/toasts';

const TONES = ['good', 'bad', 'warn', 'calm', 'info'] as const;
const NOW = new Date().toISOString();

/** Every shared piece of the user interface in one place, for people who build pages. */
export function UiPage() {
  const [text, setText] = useState('Ada');
  const [tab, setTab] = useState<'one' | 'two'>('one');
  const [isChecked, setChecked] = useState(true);
  const [isAsking, setAsking] = useState(false);
  return (
    <Page title="User interface" actions={<Button kind="primary">Primary</Button>}>
      <Section title="Buttons and toasts" actions={<Button onClick={() => showToast('Saved.')}>Show a toast</Button>}>
        <div>
          <Button>Button</Button> <Button kind="danger">Danger</Button> <Button kind="plain">Plain</Button>{' '}
          <Button isBusy>Busy</Button> <Button onClick={() => setAsking(true)}>Ask</Button>
        </div>
        {isAsking && (
          <ConfirmDialog
            title="Delete the topic?"
            action="Delete"
            onClose={() => setAsking(false)}
            onConfirm={() => setAsking(false)}
          >
            <p>Its 3 subscriptions are deleted too.</p>
          </ConfirmDialog>
        )}
      </Section>
      <Section title="States">
        <div>
          {OUTCOME_NAMES.map((outcome) => (
            <OutcomeBadge key={outcome} outcome={outcome} />
          ))}{' '}
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
        {TONES.filter((tone) => tone !== 'bad').map((tone) => (
          <Alert key={tone} tone={tone}>
            A message of the tone {tone}.
          </Alert>
        ))}
        <Skeleton />
        <Progress label="Example" value={35} max={214} />
      </Section>
      <Section title="Fields">
        <TextField label="Name" value={text} onChange={setText} hint="Shown to people." />
        <TextField label="Key" value="a b" onChange={() => undefined} error="A key has no spaces." />
        <Select
          label="Unit"
          value="minutes"
          options={[{ value: 'minutes', label: 'Minutes' }]}
          onChange={() => undefined}
        />
        <TextArea label="Body" value={text} onChange={setText} />
        <CheckBox label="Active" checked={isChecked} onChange={setChecked} />
      </Section>
      <Section title="Data">
        <Facts
          facts={{ Created: <Time at={NOW} />, Relative: <Time at={NOW} relative />, Took: formatDuration(83_000) }}
        />
        <Table
          label="Example table"
          rows={[{ name: 'Ada', count: 214 }]}
          rowKey={({ name }) => name}
          columns={[
            { name: 'Name', cell: ({ name }) => name },
            { name: 'Messages', isNumber: true, cell: ({ count }) => plural(count, 'message') },
          ]}
        />
        <Tabs<'one' | 'two'>
          label="Example tabs"
          selected={tab}
          onSelect={setTab}
          tabs={[
            { id: 'one', label: 'Difference', content: () => <Diff label="Example" before={'a\nb'} after={'a\nc'} /> },
            { id: 'two', label: 'Code', content: () => <CodeBlock label="Example" text="curl …" /> },
          ]}
        />
        <MessageFrame title="Example message" html="<p>Hello <b>Ada</b></p><img src='https://x.test/a.png' alt=''>" />
        <Empty title="Nothing here yet" command="curl http://127.0.0.1:3000/v1/events/trigger">
          <p>Send the first event.</p>
        </Empty>
      </Section>
    </Page>
  );
}
