/** The credential fields of a provider as a form needs them, from the rules that check credentials. */
import type { ProviderId } from '@clarion/contracts/core';
import { describeProvider } from './catalogue';
import {
  CREDENTIAL_BOOLEAN_FIELDS,
  CREDENTIAL_OBJECT_FIELDS,
  type CredentialField,
  SECRET_CREDENTIAL_FIELDS,
} from './credential-fields';
import { shapeOf } from './credentials';
import { helpOf } from './field-help';

export type DescribedField = {
  name: CredentialField;
  type: 'text' | 'boolean' | 'object';
  required: boolean;
  /** At least one of these fields is required. */
  oneOf?: CredentialField[];
  secret: boolean;
  hint?: string;
};

/** Required fields first. */
export function describedFieldsOf(id: ProviderId): DescribedField[] {
  const { required, optional } = describeProvider(id);
  const described = new Map<CredentialField, DescribedField>();
  for (const requirement of required) {
    const fields: readonly CredentialField[] = typeof requirement === 'string' ? [requirement] : requirement;
    for (const field of fields) {
      const more = fields.length === 1 ? { required: true } : { required: false, oneOf: [...fields] };
      if (!described.has(field)) described.set(field, describeField(id, field, more));
    }
  }
  for (const field of optional) {
    if (!described.has(field)) described.set(field, describeField(id, field, { required: false }));
  }
  return [...described.values()];
}

type Need = Pick<DescribedField, 'required' | 'oneOf'>;

function describeField(id: ProviderId, name: CredentialField, more: Need): DescribedField {
  const hint = [helpOf(id, name), shapeOf(name)].filter(Boolean).join('; ');
  return {
    name,
    type: isIn(CREDENTIAL_BOOLEAN_FIELDS, name) ? 'boolean' : isIn(CREDENTIAL_OBJECT_FIELDS, name) ? 'object' : 'text',
    ...more,
    secret: SECRET_CREDENTIAL_FIELDS.includes(name),
    ...(hint && { hint }),
  };
}

const isIn = (fields: readonly string[], field: string): boolean => fields.includes(field);
