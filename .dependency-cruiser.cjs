/**
 * DESIGN.md's table of arrows: what each room may import. `typeOnly`: rooms of which it may take types alone.
 * A room's own files need no mention.
 */
const ROOMS = {
  core: { may: [] },
  db: { may: ['core'] },
  workflows: { may: ['core'], typeOnly: ['activities'] },
  activities: { may: ['db', 'core', 'presets'] },
  workers: { may: ['activities', 'db', 'core'] }, // and the workflow bundle, by its path alone
  presets: { may: ['core'] },
  scripts: { may: ['workers', 'activities', 'db', 'core', 'presets'], typeOnly: ['workflows'] },
};

const names = Object.keys(ROOMS);
const anyOf = (rooms) => `^(${rooms.join('|')})/`;

function rulesOf(room) {
  const { may, typeOnly = [] } = ROOMS[room];
  const closed = names.filter((other) => other !== room && !may.includes(other) && !typeOnly.includes(other));
  const rules = [
    {
      name: `${room}-imports-no-other-room`,
      comment: `${room}/ may import ${[room, ...may].join(', ')}${typeOnly.length > 0 ? `, and types from ${typeOnly.join(', ')}` : ''}`,
      severity: 'error',
      from: { path: `^${room}/` },
      to: { path: anyOf([...closed, 'tests']) },
    },
  ];
  if (typeOnly.length > 0) {
    rules.push({
      name: `${room}-takes-types-only`,
      comment: `${room}/ may take types alone from ${typeOnly.join(', ')}: write \`import type\``,
      severity: 'error',
      from: { path: `^${room}/` },
      to: { path: anyOf(typeOnly), dependencyTypesNot: ['type-only'] },
    });
  }
  return rules;
}

/** A package that one room alone may use; its types may go anywhere. */
function packageRule(name, room, packages) {
  return {
    name,
    comment: `${packages.join(' and ')} may be used in ${room}/ alone`,
    severity: 'error',
    from: { pathNot: `^(${room}/|node_modules/)` },
    to: { path: `(^|/)node_modules/(${packages.join('|')})/`, dependencyTypesNot: ['type-only'] },
  };
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...names.flatMap(rulesOf),
    {
      name: 'core-is-pure',
      comment: 'core/ has no clock, no I/O and no package: types alone may come from outside',
      severity: 'error',
      from: { path: '^core/' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    packageRule('sql-lives-in-db', 'db', ['kysely', 'pg']),
    packageRule('zod-lives-in-activities', 'activities', ['zod']),
    {
      name: 'nothing-unresolved',
      comment: 'an import that leads nowhere could hide an arrow',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true, // sees `import type`
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.cjs', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};
