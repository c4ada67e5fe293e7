export type CodeLanguage = 'liquid' | 'liquid-html' | 'json';
