/* The search, theme, language, copy buttons and "Try it" of the API reference. It stores no API key. */
(() => {
  'use strict';
  const root = document.documentElement;
  const LANGUAGE = 'clarion.docs.language';
  // The dashboard keeps its theme under the same name, so one choice holds for both.
  const THEME = 'clarion.theme';

  const applyTheme = (theme) => {
    if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
    else delete root.dataset.theme;
  };
  const applyLanguage = (chosen) => {
    // The SDK has no method for some operations.
    const language = document.querySelector(`.sample[data-language="${CSS.escape(chosen)}"]`) ? chosen : 'curl';
    root.dataset.language = language;
    for (const button of document.querySelectorAll('.languages button')) {
      button.setAttribute('aria-pressed', String(button.dataset.language === language));
    }
  };
  // Runs while the head is parsed, so that the page never shows the other theme first.
  applyTheme(localStorage.getItem(THEME));

  document.addEventListener('DOMContentLoaded', () => {
    const element = (id) => document.getElementById(id);

    const theme = element('theme');
    theme.value = root.dataset.theme ?? 'system';
    theme.addEventListener('change', () => {
      localStorage.setItem(THEME, theme.value);
      applyTheme(theme.value);
    });

    applyLanguage(localStorage.getItem(LANGUAGE) ?? 'curl');

    const search = element('search');
    const items = [...document.querySelectorAll('nav [data-search]')];
    search.addEventListener('input', () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const item of items) item.hidden = !words.every((word) => item.dataset.search.includes(word));
      for (const group of document.querySelectorAll('nav section')) {
        group.hidden = !group.querySelector('[data-search]:not([hidden])');
      }
      element('no-match').hidden = items.some((item) => !item.hidden);
    });
    search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter')
        items
          .find((item) => !item.hidden)
          ?.querySelector('a')
          .click();
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target.closest('input, select, textarea')) return;
      event.preventDefault();
      openMenu(true);
      search.focus();
    });

    const menu = element('menu');
    const openMenu = (isOpen) => {
      root.dataset.menu = isOpen ? 'open' : 'closed';
      menu.setAttribute('aria-expanded', String(isOpen));
    };
    menu.addEventListener('click', () => openMenu(root.dataset.menu !== 'open'));

    document.addEventListener('click', (event) => {
      const target = event.target;
      if (target.closest('nav a')) openMenu(false);
      const language = target.closest('.languages button')?.dataset.language;
      if (language) {
        localStorage.setItem(LANGUAGE, language);
        applyLanguage(language);
      }
      const copy = target.closest('.copy');
      if (copy) void copyCode(copy);
    });

    element('navigation').querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });
    // Operations were sections of one page before.
    const former = location.pathname === '/docs' && location.hash.slice(1);
    if (former && document.querySelector(`nav a[href="/docs/${CSS.escape(former)}"]`))
      location.replace(`/docs/${former}`);
    document.querySelector('.try')?.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(event.target);
    });
  });

  /** Sends the request of the form and shows the response, whatever its status is. */
  async function send(form) {
    const { method, path, scheme } = form.dataset;
    const output = form.querySelector('output');
    const values = new FormData(form);
    const key = values.get('key');
    const query = new URLSearchParams();
    let target = path;
    for (const { name, value, dataset } of form.querySelectorAll('[data-in]')) {
      const own = name.slice(name.indexOf('.') + 1);
      if (dataset.in === 'path') target = target.replace(`{${own}}`, encodeURIComponent(value));
      else if (value !== '') query.append(own, value);
    }
    output.textContent = 'Sending...';
    try {
      if (!key && scheme === 'ApiKey' && method !== 'GET' && !(await mayChange())) {
        output.textContent = 'Not sent.';
        return;
      }
      const response = await fetch(query.size > 0 ? `${target}?${query}` : target, {
        method,
        headers: {
          ...(key ? { Authorization: `${scheme} ${key}` } : { 'Clarion-Dashboard': '1' }),
          ...(values.has('body') && { 'Content-Type': 'application/json' }),
        },
        ...(values.has('body') && { body: values.get('body') }),
      });
      const text = await response.text();
      const pre = document.createElement('pre');
      pre.tabIndex = 0;
      pre.textContent = readable(text);
      output.replaceChildren(`${response.status} ${response.statusText}`, pre);
    } catch (error) {
      output.textContent = `The request failed: ${error.message}`;
    }
  }

  /** A session of a production environment asks before it changes something. */
  async function mayChange() {
    const response = await fetch('/v1/sessions/current', { headers: { 'Clarion-Dashboard': '1' } });
    if (!response.ok) return true;
    const { environments, environmentId } = await response.json();
    const { name, kind } = environments.find(({ _id }) => _id === environmentId) ?? {};
    return kind !== 'production' || confirm(`This changes ${name}, a production environment. Send it?`);
  }

  const readable = (text) => {
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  };

  async function copyCode(button) {
    const text = button.parentElement.querySelector('code').textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Select the text to copy it';
    }
    setTimeout(() => (button.textContent = 'Copy'), 2_000);
  }
})();
