// Started by the thread pool, outside of whatever compiled its parent: so it brings its own TypeScript loader.
require('tsx/cjs');
module.exports = { ...require('./read-page.ts'), ...require('./robots-rules.ts') };
