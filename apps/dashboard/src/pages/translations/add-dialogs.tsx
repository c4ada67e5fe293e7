import { useState } from 'react';
import { translatedChoices } from '../../api/choices';
import { localeChoices, writtenLocale } from '../../api/locales';
import { FormDialog } from '../../ui/dialog';
import { TextField, useFields } from '../../ui/field';
import { Picker } from '../../ui/picker';
import type { Resource } from './data';

export function AddLocale({ onAdd, onClose }: { onAdd(locale: string): void; onClose(): void }) {
  const [locale, setLocale] = useState('');
  const [fault, setFault] = useState<string>();
  const add = async (): Promise<void> => {
    const written = writtenLocale(locale);
    if (written === undefined) return setFault(`“${locale}” is not a locale. Choose one, or write it as de_AT.`);
    onAdd(written);
    onClose();
  };
  return (
    <FormDialog title="Add locale" action="Add" run={add} then={() => undefined} onClose={onClose}>
      <Picker
        label="Locale"
        required
        autoFocus
        isFree
        choices={localeChoices}
        placeholder="de_AT"
        hint="A language, or a language and a region: de, de_AT. It is stored with its first text."
        value={locale}
        error={fault}
        onChange={(typed) => {
          setLocale(typed);
          setFault(undefined);
        }}
      />
    </FormDialog>
  );
}

type NewKeyProps = {
  /** The type and the id of the workflow or layout that the page shows. */
  shown: string;
  defaultLocale: string;
  onAdd(resource: Resource, key: string, text: string): Promise<unknown>;
  onClose(): void;
};

/** A key with its text in the default locale, for a workflow or a layout that exists. */
export function NewKey({ shown, defaultLocale, onAdd, onClose }: NewKeyProps) {
  const [of, setOf] = useState(shown);
  const { values, field } = useFields({ key: '', text: '' });
  const key = values.key.trim();
  const [resourceType, resourceId] = of.split(' ') as [Resource['resourceType'], string];
  return (
    <FormDialog
      title="New key"
      action="Add"
      isReady={of !== ''}
      run={() => onAdd({ resourceType, resourceId }, key, values.text)}
      onClose={onClose}
    >
      <Picker label="Workflow or layout" required autoFocus value={of} choices={translatedChoices} onChange={setOf} />
      <TextField
        label="Key"
        required
        placeholder="subject"
        hint={`Templates read it as {{ t.${key || 'key'} }}.`}
        {...field('key')}
      />
      <TextField label={`Text in ${defaultLocale}`} required {...field('text')} />
    </FormDialog>
  );
}
