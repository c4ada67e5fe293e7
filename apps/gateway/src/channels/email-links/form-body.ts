import type { ChosenPreferences } from './unsubscribe.service';

/** Mail programs send the field as `application/x-www-form-urlencoded` or as `multipart/form-data`. */
export const isOneClick = (body: string): boolean =>
  body.length <= ONE_CLICK_CHARACTERS &&
  (new URLSearchParams(body).get('List-Unsubscribe') === 'One-Click' || MULTIPART_FIELD.test(body));

const ONE_CLICK_CHARACTERS = 2_000;
// eslint-disable-next-line clarion/no-quadratic-search -- of so few characters it takes no time
const MULTIPART_FIELD = /name="?List-Unsubscribe"?[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\nOne-Click\s/i;

/** The form of the page; undefined for any other body. */
export function readForm(body: string): ChosenPreferences | undefined {
  const fields = new URLSearchParams(body);
  if (fields.get('form') !== 'preferences') return undefined;
  return { workflowIds: fields.getAll('workflow'), on: fields.getAll('on') };
}
