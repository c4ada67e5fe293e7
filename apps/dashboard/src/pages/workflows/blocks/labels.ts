/** The words of a variable in a pill: what a person calls it, not where it is. */
export function labelOf(id: string): string {
  const [path = '', ...filters] = id.replaceAll(/[{}]/g, '').split('|');
  const parts = path.trim().split('.');
  const [namespace = '', ...names] = parts;
  if (namespace === 't' || namespace === 'env') return [namespace, names.join('.')].filter(Boolean).join(' · ');
  const name = words(names.at(-1) ?? namespace);
  const start = namespace === 'steps' && names.length > 1 ? `${names[0]} · ` : '';
  return [start + name, ...filters.map((each) => each.trim())].join(' · ');
}

/** `orderNumber` and `order_number` are "Order number". */
function words(name: string): string {
  const text = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
