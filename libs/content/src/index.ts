export type { ComposedEmail, ComposedInApp } from './composed-messages';
export * from './email';
export * from './in-app';
export * from './template-renderer';
export type { PayloadCheck, PayloadFault } from './payload-check';
export { type Rendering, type TemplateFault } from './templates';
export * from './texts';
export { trackedHtml } from './tracked-html';
export {
  environmentVariables,
  missingKeys,
  readsEnvironment,
  readsTranslations,
  type TextOfKey,
  translateControls,
  translationKeys,
} from './translate';
export * from './translation-texts';
export * from './variables';
