/** `npm run execution-details`: writes docs/execution-details.md from the catalogue. */
import { builtLib, writePage } from './write-page.mjs';

const { EXECUTION_DETAIL_SECTIONS } = await builtLib('contracts');

/** The reference page docs/execution-details.md, written from the catalogue. */
function executionDetailsPage() {
  const lines = [
    '<!-- Written by `npm run execution-details` from libs/contracts/src/execution-details.ts. Do not edit. -->',
    '',
    '# Execution details',
    '',
    'Every step of a notification has execution details: the record of what happened to it, and why. They are in',
    '`executionDetails` of `GET /v1/notifications/{notificationId}` and in the response of a dry run. This page',
    'lists every text. A part in braces is replaced by a value. The field `raw` of a detail has more: the error of',
    'the provider, the conditions that were evaluated, the time until which a step waits.',
    '',
    'The source of a detail is `Internal` unless the table names another one. A detail of a failed provider call',
    'has the source `Credentials` when the provider refused the account.',
  ];
  for (const [title, records] of Object.entries(EXECUTION_DETAIL_SECTIONS)) {
    lines.push('', `## ${title}`, '', '| detail | status | source | when it is written |', '| --- | --- | --- | --- |');
    for (const { detail, status, source, when } of Object.values(records)) {
      lines.push(`| \`${detail.trimEnd()}\`${blankNote(detail)} | ${status} | ${source ?? ''} | ${when} |`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Markdown does not show the trailing blank that one text has. */
const blankNote = (detail) => (detail.endsWith(' ') ? ' with a trailing blank' : '');

writePage('docs/execution-details.md', executionDetailsPage);
