/* global document, IntersectionObserver, localStorage, navigator */
/* The search, the choices of theme and language, and the copy buttons of the API reference. It stores no API key. */
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
  const applyLanguage = (language) => {
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

    const links = new Map(
      [...document.querySelectorAll('nav a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
    );
    let current;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.findLast(({ isIntersecting }) => isIntersecting);
        const link = entry && links.get(entry.target.id);
        if (!link) return;
        current?.removeAttribute('aria-current');
        link.setAttribute('aria-current', 'location');
        current = link;
      },
      { rootMargin: '-15% 0px -75% 0px' },
    );
    for (const section of document.querySelectorAll('article, main h2[id]')) observer.observe(section);
  });

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
