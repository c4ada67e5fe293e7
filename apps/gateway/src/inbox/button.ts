import { BUTTON_TYPES, type ButtonType, invalidField } from '@clarion/contracts';

export function readButton(parameter: string, value: string): ButtonType {
  const button = BUTTON_TYPES.find((type) => type === value);
  if (!button) throw invalidField(parameter, `${parameter} must be one of: ${BUTTON_TYPES.join(', ')}`, value);
  return button;
}
