import { useState } from 'react';
import { Button, CodeBlock, FileButton } from '../../ui/button';
import { ConfirmDialog, ShownOnce, TypedConfirm } from '../../ui/dialog';
import { Diff } from '../../ui/diff';
import { CheckBox, CheckGroup, Columns, Select, TextArea, TextField } from '../../ui/field';
import { MessageFrame } from '../../ui/message-frame';
import { Alert, Empty, Facts, Page, Section, Skeleton } from '../../ui/page';
import { Progress } from '../../ui/progress';
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
  const [dialog, setDialog] = useState<'ask' | 'typed' | 'secret'>();
  const [chosen, setChosen] = useState<('email' | 'sms')[]>(['email']);
  const close = () => setDialog(undefined);
  return (
    <Page title="User interface" actions={<Button kind="primary">Primary</Button>}>
      <Section title="Buttons and toasts" actions={<Button onClick={() => showToast('Saved.')}>Show a toast</Button>}>
        <div>
          <Button>Button</Button> <Button kind="danger">Danger</Button> <Button kind="plain">Plain</Button>{' '}
          <Button isBusy>Busy</Button> <Button onClick={() => setDialog('ask')}>Ask</Button>{' '}
          <Button onClick={() => setDialog('typed')}>Ask to type</Button>{' '}
          <Button onClick={() => setDialog('secret')}>Show once</Button>{' '}
          <FileButton accept=".json" onFiles={(files) => showToast(files.map(({ name }) => name).join(', '))}>
            Choose files
          </FileButton>
        </div>
        {dialog === 'ask' && (
          <ConfirmDialog title="Delete the topic?" action="Delete" onClose={close} run={() => Promise.resolve()}>
            <p>Its 3 subscriptions are deleted too.</p>
          </ConfirmDialog>
        )}
        {dialog === 'typed' && (
          <TypedConfirm title="Erase ada?" action="Erase" typed="ada" onClose={close} run={() => Promise.resolve()}>
            <p>This cannot be undone.</p>
          </TypedConfirm>
        )}
        {dialog === 'secret' && (
          <ShownOnce title="Created" label="Secret" text="whsec_…" note="It is not shown again." onClose={close} />
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
        <Columns>
          <TextField label="Since" value="" onChange={() => undefined} />
          <TextField label="Until" value="" onChange={() => undefined} />
        </Columns>
        <CheckGroup
          legend="Channels"
          hint="None chosen: every channel."
          options={[
            { value: 'email', label: 'Email' },
            { value: 'sms', label: 'SMS' },
          ]}
          chosen={chosen}
          onChange={setChosen}
        />
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
