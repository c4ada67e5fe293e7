import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Select, TextField } from '../../ui/field';
import { Form } from '../../ui/form';
import { workflowNamesQuery } from '../activity/activity-data';
import { layoutNamesQuery } from '../workflows/queries';
import type { Resource } from './data';

export function AddLocale({ onAdd, onClose }: { onAdd(locale: string): void; onClose(): void }) {
  const [locale, setLocale] = useState('');
  return (
    <Dialog title="Add locale" onClose={onClose}>
      <Form onSubmit={() => onAdd(written(locale))}>
        <TextField
          label="Locale"
          required
          autoFocus
          pattern="[A-Za-z]{2,3}([_\-][A-Za-z0-9]{2,8})*"
          placeholder="de_AT"
          hint="A language, or a language and a region: de, de_AT. It is stored with its first text."
          value={locale}
          onChange={setLocale}
        />
        <div>
          <Button type="submit" kind="primary">
            Add
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** As the gateway writes it: `de-at` is `de_AT`. */
const written = (typed: string): string => {
  const [language = '', ...others] = typed.trim().split(/[_-]/);
  return [language.toLowerCase(), ...others.map((part) => (part.length === 2 ? part.toUpperCase() : part))].join('_');
};

type NewKeyProps = {
  defaultLocale: string;
  isBusy: boolean;
  onAdd(resource: Resource, key: string, text: string): void;
  onClose(): void;
};

/** A key with its text in the default locale, for a workflow or a layout that exists. */
export function NewKey({ defaultLocale, isBusy, onAdd, onClose }: NewKeyProps) {
  const workflows = useQuery(workflowNamesQuery);
  const layouts = useQuery(layoutNamesQuery());
  const [of, setOf] = useState('');
  const [key, setKey] = useState('');
  const [text, setText] = useState('');
  const options = [
    ...(workflows.data?.workflows ?? []).map(({ workflowId, name }) => ({
      value: `workflow ${workflowId}`,
      label: name,
    })),
    ...(layouts.data?.layouts ?? []).map(({ layoutId, name }) => ({
      value: `layout ${layoutId}`,
      label: `${name} (layout)`,
    })),
  ];
  const chosen = of || (options[0]?.value ?? '');
  const [resourceType, resourceId] = chosen.split(' ') as [Resource['resourceType'], string];
  return (
    <Dialog title="New key" onClose={onClose}>
      <Form onSubmit={() => chosen !== '' && onAdd({ resourceType, resourceId }, key.trim(), text)}>
        <Select label="Workflow or layout" value={chosen} options={options} onChange={setOf} />
        <TextField
          label="Key"
          required
          placeholder="subject"
          hint={`Templates read it as {{ t.${key.trim() || 'key'} }}.`}
          value={key}
          onChange={setKey}
        />
        <TextField label={`Text in ${defaultLocale}`} required value={text} onChange={setText} />
        <div>
          <Button type="submit" kind="primary" isBusy={isBusy}>
            Add
          </Button>{' '}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  );
}
