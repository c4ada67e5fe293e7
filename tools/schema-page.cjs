/** Writes docs/schema.md from the catalogue of a migrated database. */

const TABLES = `
  SELECT c.relname AS name, c.relkind = 'p' AS partitioned
    FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relname <> 'migration'
   ORDER BY 1`;

const COLUMNS = `
  SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
         NOT a.attnotnull AS nullable, pg_get_expr(d.adbin, d.adrelid) AS default
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
   ORDER BY c.relname, a.attnum`;

const KEYS = `
  SELECT c.relname AS table, k.contype AS kind, f.relname AS target,
         (SELECT array_agg(a.attname::text ORDER BY p.position)
            FROM unnest(k.conkey) WITH ORDINALITY AS p (attnum, position)
            JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = p.attnum) AS columns
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    LEFT JOIN pg_class f ON f.oid = k.confrelid
   WHERE c.relnamespace = 'public'::regnamespace AND k.contype IN ('p', 'f')`;

const TYPES = { 'timestamp(3) with time zone': 'timestamptz(3)', 'timestamp with time zone': 'timestamptz' };

const HEAD = `# Schema

<!-- Written by \`npm run schema-diagram\` from a migrated database; a spec compares it. -->

Solid lines are foreign keys. Dotted lines are ids without a foreign key: tables that grow with the traffic have none,
because a foreign key costs a lookup for every row and would stop partitions from being dropped. Nearly every table has
an \`environment_id\`; those lines are left out.

`;

/** `query(sql)` answers with rows. */
exports.schemaPage = async function schemaPage(query) {
  const tables = await query(TABLES);
  const names = tables.map(({ name }) => name);
  const columns = (await query(COLUMNS)).filter(({ table }) => names.includes(table));
  const keys = await query(KEYS);
  const primary = new Map(keys.filter(({ kind }) => kind === 'p').map((key) => [key.table, key.columns]));
  const foreign = new Map(
    keys
      .filter(({ kind, columns: of }) => kind === 'f' && of.length === 1)
      .map((key) => [at(key.table, key.columns[0]), key.target]),
  );
  const referenceOf = ({ table, name, type }) => {
    const target = foreign.get(at(table, name));
    if (target) return { target, isForeignKey: true };
    const similar = type === 'uuid' && names.filter((other) => `_${name}`.endsWith(`_${other}_id`));
    return similar && similar.length > 0 ? { target: longest(similar), isForeignKey: false } : undefined;
  };

  const lines = columns.flatMap((column) => {
    const reference = referenceOf(column);
    if (!reference || column.name === 'environment_id') return [];
    const line = `}o${reference.isForeignKey ? '--' : '..'}${column.nullable ? 'o|' : '||'}`;
    return [`  ${column.table} ${line} ${reference.target} : ${column.name}`];
  });
  const sections = tables.map(({ name, partitioned }) => {
    const rows = columns
      .filter(({ table }) => table === name)
      .map((column) => rowOf(column, primary.get(name) ?? [], referenceOf(column)));
    const note = partitioned ? 'Partitioned by week of the id.\n\n' : '';
    const head = '| column | type | null | default | key |\n| --- | --- | --- | --- | --- |';
    return `## ${name}\n\n${note}${head}\n${rows.join('\n')}\n`;
  });
  const alone = names.filter((name) => !lines.some((line) => new RegExp(`\\b${name}\\b`).test(line)));
  const diagram = [...alone.map((name) => `  ${name}`), ...lines].join('\n');
  return `${HEAD}\`\`\`mermaid\nerDiagram\n${diagram}\n\`\`\`\n\n${sections.join('\n')}`;
};

function at(table, column) {
  return `${table}.${column}`;
}

function longest(names) {
  return [...names].sort((one, other) => other.length - one.length)[0];
}

function rowOf({ name, type, nullable, default: value }, primaryKey, reference) {
  const key = [
    primaryKey.includes(name) ? 'primary' : '',
    reference ? `${reference.isForeignKey ? 'foreign key to' : 'id of'} \`${reference.target}\`` : '',
  ].filter(Boolean);
  const standard = value ? `\`${value.replaceAll('|', '\\|')}\`` : '';
  return `| \`${name}\` | ${TYPES[type] ?? type} | ${nullable ? 'yes' : ''} | ${standard} | ${key.join(', ')} |`;
}
