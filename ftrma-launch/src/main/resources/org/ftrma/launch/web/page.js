/* The page of a job: shows what /events tells, and asks for nothing else but checkpoints. No dependency but uPlot. */
(function () {
  'use strict';

  const MOST_EVENTS = 2000;
  const MOST_LINES = 300;
  const MOST_SAMPLES = 1200;
  const MOST_RECOVERIES = 100;
  const DENSE = 40;
  /* So long at least a loss is seen, however quickly another process takes the member's place. */
  const SEEN_MILLIS = 1500;
  const PHASES = ['join', 'rebuild', 'agree', 'replay'];
  const QUIET = new Set(['progress', 'member', 'redundancy', 'assigned']);
  const HEAVY = new Set(['lost', 'host-lost', 'fallback', 'cut-abandoned', 'flush-failed']);
  /* What a state looks like: a word, a shape and a colour, each of which alone tells it. */
  const LOOKS = {
    EXPECTED: ['idle', 'ring', 'expected'], LOST: ['lost', 'cross', 'LOST'], JOINING: ['back', 'triangle', 'joining'],
    LEAVING: ['back', 'triangle', 'going back'], RESTORING: ['back', 'triangle', 'restoring'],
    REBUILDING: ['back', 'triangle', 'rebuilding'], READY: ['idle', 'ring', 'ready'],
    REPLAYING: ['back', 'diamond', 'replaying'], RUNNING: ['running', 'disc', 'running'],
    FINISHED: ['done', 'square', 'finished']
  };
  const LEGEND = [['RUNNING', 'running'], ['LOST', 'lost'], ['JOINING', 'on its way back (joining, restoring, rebuilding)'],
    ['REPLAYING', 'replaying what it had done'], ['READY', 'ready or expected'], ['FINISHED', 'finished']];
  const SHAPES = {
    disc: ['circle', {cx: 8, cy: 8, r: 6}], ring: ['circle', {cx: 8, cy: 8, r: 5, 'stroke-width': 2.5}],
    square: ['rect', {x: 2.5, y: 2.5, width: 11, height: 11}], triangle: ['path', {d: 'M8 1.5 15 14H1Z'}],
    diamond: ['path', {d: 'M8 .5 15.5 8 8 15.5.5 8Z'}],
    cross: ['path', {d: 'M3 3 13 13M13 3 3 13', 'stroke-width': 4, 'stroke-linecap': 'round'}]
  };

  const at = id => document.getElementById(id);
  let status = null;
  let events = [];
  let lastNumber = -1;
  let samples = [];
  let ended = false;
  let failures = 0;
  let drawn = '';
  const lostUntil = new Map();

  function text(id, value) {
    const place = at(id);
    if (place.textContent !== value) {
      place.textContent = value;
    }
  }

  function make(name, attributes, ...children) {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) {
      node.setAttribute(key, value);
    }
    node.append(...children.map(child => child instanceof Node ? child : String(child)));
    return node;
  }

  function draw(name, attributes, ...children) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) {
      node.setAttribute(key, value);
    }
    node.append(...children);
    return node;
  }

  function glyph(state) {
    const [, shape] = LOOKS[state];
    const [name, attributes] = SHAPES[shape];
    return draw('svg', {viewBox: '0 0 16 16', width: 18, height: 18, 'aria-hidden': 'true'},
      draw(name, {...attributes, class: shape === 'ring' ? 'glyph hollow' : 'glyph'}));
  }

  const bytes = count => {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let value = count;
    let unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return (unit === 0 ? value : value.toFixed(1)) + ' ' + units[unit];
  };
  const millis = value => value < 1000 ? value.toFixed(value < 10 ? 2 : 0) + ' ms' : (value / 1000).toFixed(2) + ' s';
  const length = seconds => seconds < 60 ? seconds.toFixed(1) + ' s'
    : seconds < 3600 ? Math.floor(seconds / 60) + ' min ' + Math.floor(seconds % 60) + ' s'
      : Math.floor(seconds / 3600) + ' h ' + Math.floor(seconds % 3600 / 60) + ' min';
  const since = micros => (micros - status.startedMicros) / 1e6;
  const nameOf = member => status.members[member] ? status.members[member].name : 'member ' + member;
  const many = (count, word, words) => count + ' ' + (count === 1 ? word : words);

  /* Fills a table or list without touching rows that are the same: who reads it keeps the place. */
  function fill(parent, rows) {
    rows.forEach((row, i) => {
      const old = parent.children[i];
      if (!old) {
        parent.append(row);
      } else if (!old.isEqualNode(row)) {
        old.replaceWith(row);
      }
    });
    while (parent.children.length > rows.length) {
      parent.lastElementChild.remove();
    }
  }

  const row = (...cells) => make('tr', null, ...cells.map(cell => cell instanceof Node && cell.tagName === 'TD' ? cell
    : make('td', null, cell)));

  function showOutcome() {
    const kind = status.outcome === 'running' ? 'running' : status.outcome === 'success' || status.outcome === 'stopped'
      ? 'success' : 'failed';
    at('outcome').dataset.state = kind;
    text('outcome-text', status.outcome);
    text('title', status.app + ' on ' + many(status.ranks, 'rank', 'ranks') + (status.checksums
      ? ' and ' + many(status.checksums, 'checksum rank', 'checksum ranks') : ''));
    text('command', 'ftrma ' + status.command.join(' '));
    document.title = status.outcome + ': ' + status.app + ' ' + status.job;
  }

  function showFacts() {
    text('steps', status.leastStep + (status.greatestStep > status.leastStep ? '–' + status.greatestStep : '')
      + (status.iterations > 0 ? ' of ' + status.iterations : ''));
    text('age', length(status.seconds));
    text('generation', status.generation > 0 ? 'number ' + status.generation + ', step ' + status.generationStep : 'none');
    text('checkpoints', String(status.checkpoints));
    text('demand', String(status.demandCheckpoints));
    text('losses', String(status.losses));
    text('recoveries', String(status.recoveries));
    const log = logBytes();
    text('log', log === null ? '–' : bytes(log));
    text('would-end', status.wouldEnd || '–');
    const progress = at('progress');
    progress.hidden = !(status.iterations > 0);
    progress.value = status.iterations > 0 ? Math.min(1, status.leastStep / status.iterations) : 0;
    const isProtected = status.protocol !== 'none';
    at('checkpoint').disabled = status.outcome !== 'running' || !isProtected
      || status.checkpointRequest.state === 'pending';
    if (!isProtected) {
      text('checkpoint-answer', 'The job is not protected: there are no checkpoints.');
    } else if (status.checkpointRequest.state !== 'none') {
      tellAnswer(status.checkpointRequest);
    }
  }

  function tellAnswer(answer) {
    text('checkpoint-answer', (answer.state === 'refused' ? 'Not taken: ' : '') + answer.text);
  }

  function logBytes() {
    const known = status.members.filter(member => member.counters && member.role === 'computing');
    return known.length === 0 ? null : known.reduce((sum, member) => sum + member.counters.logBytes, 0);
  }

  /* Hosts that are lost stay in the picture. */
  function lostHosts() {
    const lost = new Set();
    for (const event of events) {
      const host = event.text.split(/[:, ]/)[0];
      if (event.event === 'host-lost') {
        lost.add(host);
      } else if (event.event === 'host-joined') {
        lost.delete(host);
      }
    }
    return lost;
  }

  function stateOf(member) {
    return (lostUntil.get(member.member) || 0) > performance.now() ? 'LOST' : LOOKS[member.state] ? member.state
      : 'EXPECTED';
  }

  function memberNode(member) {
    const state = stateOf(member);
    const look = LOOKS[state];
    const words = look[2] + (member.role === 'computing' && state !== 'EXPECTED' ? ' · step ' + member.step : '');
    const node = make('li', {class: 'member ' + look[0], 'data-member': member.member, 'data-state': state,
      title: member.name + ': ' + words}, glyph(state),
    make('span', {class: 'name'}, member.name), make('span', {class: 'word'}, words));
    if (member.incarnation > 0) {
      node.append(make('span', {class: 'lives'}, 'replaced ' + (member.incarnation === 1 ? 'once'
        : member.incarnation + ' times')));
    }
    return node;
  }

  function showHosts() {
    const hosts = new Map();
    for (const member of status.members) {
      const host = member.host || 'no host yet';
      hosts.set(host, [...(hosts.get(host) || []), member]);
    }
    const lost = lostHosts();
    lost.forEach(host => hosts.has(host) || hosts.set(host, []));
    const dense = status.members.length > DENSE;
    fill(at('hosts'), [...hosts].map(([host, members]) => make('div', {class: 'host' + (lost.has(host) ? ' lost' : '')
      + (dense ? ' dense' : ''), 'data-host': host}, make('h3', null, host + (lost.has(host) ? ' – LOST' : '')),
    make('ul', {'aria-label': 'members on ' + host}, ...members.map(memberNode)))));
  }

  function showMembers() {
    fill(at('member-rows'), status.members.map(member => {
      const look = LOOKS[member.state] || LOOKS.EXPECTED;
      const numbers = member.counters;
      const unknown = member.process < 0 ? '–' : member.problem || 'on its host';
      return row(member.name, make('td', {class: look[0]}, make('span', {class: 'state'}, look[2])), member.host,
        member.group === null ? '–' : member.group, member.process < 0 ? '–' : member.process, member.incarnation,
        member.role === 'computing' ? member.step : '–', numbers ? numbers.accesses : unknown, numbers ? bytes(numbers.logBytes) : '–',
        numbers ? bytes(numbers.peakLogBytes) : '–', numbers ? millis(numbers.blocked / 1e6) : '–',
        typeof member.heartbeatMillis === 'number' ? millis(member.heartbeatMillis) + ' ago' : '–',
        member.waitsFor && status.outcome === 'running' ? member.waitsFor : '');
    }));
  }

  /* Of each loss the way back, as far as it has come. */
  function recoveries() {
    const all = [];
    const open = new Map();
    let rollback = null;
    for (const event of events) {
      if (event.event === 'lost') {
        const one = {loss: event, replayed: null, back: null, rollback: null};
        all.push(one);
        open.set(event.member, one);
      } else if (event.event === 'recovery') {
        rollback = event.rolledBack ? event : null;
        open.forEach(one => { one.rollback = rollback; });
      } else if (event.event === 'replayed' && open.has(event.member)) {
        open.get(event.member).replayed = event;
      } else if (event.event === 'recovered' && open.has(event.member)) {
        open.get(event.member).back = event;
        open.delete(event.member);
      }
    }
    return all;
  }

  function phases(replayed, longest) {
    if (!replayed) {
      return '';
    }
    const width = 260;
    const picture = draw('svg', {class: 'phases', viewBox: '0 0 ' + width + ' 14', width, height: 14, role: 'img'});
    let left = 0;
    const words = [];
    for (const phase of PHASES) {
      const part = replayed[phase + 'Nanos'] / 1e6;
      const wide = longest > 0 ? width * part / longest : 0;
      picture.append(draw('rect', {class: phase, x: left.toFixed(1), y: 1, width: Math.max(1, wide).toFixed(1), height: 12}));
      left += wide;
      words.push(phase + ' ' + millis(part));
    }
    picture.setAttribute('aria-label', words.join(', '));
    picture.append(draw('title', {}, words.join(', ')));
    return picture;
  }

  function showRecoveries() {
    const all = recoveries();
    const sum = one => one.replayed ? PHASES.reduce((total, phase) => total + one.replayed[phase + 'Nanos'] / 1e6, 0) : 0;
    const longest = Math.max(0, ...all.map(sum));
    const rows = all.slice(-MOST_RECOVERIES).reverse().map(one => {
      const isComputing = one.loss.member < status.ranks;
      const node = row(since(one.loss.jobClockMicros).toFixed(2) + ' s', nameOf(one.loss.member),
        isComputing ? one.loss.step : '–',
        one.loss.text, one.back ? one.back.text : ended ? 'none' : 'on its way',
        one.back ? millis((one.back.jobClockMicros - one.loss.jobClockMicros) / 1000) : '–',
        phases(one.replayed, longest), one.replayed ? one.replayed.stepsRepeated : one.rollback
          ? 'all, from ' + one.rollback.toStep : '–');
      node.dataset.member = one.loss.member;
      node.dataset.step = isComputing ? one.loss.step : '';
      node.dataset.how = one.back ? one.back.text : '';
      return node;
    });
    fill(at('recovery-rows'), rows.length > 0 ? rows
      : [make('tr', {class: 'none'}, make('td', {colspan: 8}, 'none so far'))]);
  }

  /* A checkpoint that was not begun has no generation. */
  const isHeavy = event => HEAVY.has(event.event) && event.generation !== 0;

  function showEvents() {
    const all = at('all-events').checked;
    const shown = events.filter(event => all || !QUIET.has(event.event)).slice(-MOST_LINES).reverse();
    fill(at('events'), shown.map(event => {
      const numbers = Object.entries(event).filter(([key]) => !['number', 'time', 'jobClockMicros', 'event', 'text']
        .includes(key)).map(([key, value]) => key === 'member' ? nameOf(value) : key.endsWith('Nanos')
        ? key.slice(0, -5) + '=' + millis(value / 1e6) : key + '=' + value).join(' ');
      return make('li', null, make('time', {datetime: event.time}, event.time.slice(11, 23)), '  ',
        make('span', isHeavy(event) ? {class: 'heavy'} : null, event.event), ' ' + numbers
          + (event.text ? ': ' + event.text : ''));
    }));
    text('events-note', (status.eventsNotShown > 0 ? many(status.eventsNotShown, 'older event is', 'older events are')
      + ' left out. ' : '') + 'Times are UTC.');
  }

  /* --- Charts */

  const charts = {};
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  const POWERS = Array.from({length: 50}, (one, i) => 2 ** i);

  function axes(unit) {
    const common = {stroke: colour('--soft'), grid: {stroke: colour('--grid'), width: 1},
      ticks: {stroke: colour('--line'), width: 1}, font: '12px system-ui, sans-serif'};
    return [{...common, values: (chart, values) => values.map(value => value + ' s')},
      {...common, size: (chart, values) => 26 + 7 * Math.max(4, ...(values || []).map(value => String(value).length)),
        values: (chart, values) => values.map(unit), ...(unit === bytes ? {incrs: POWERS} : {})}];
  }

  const marks = () => ({hooks: {draw: [chart => {
    const {ctx, bbox} = chart;
    ctx.save();
    ctx.setLineDash([]);
    for (const event of events) {
      if (event.event !== 'lost' && event.event !== 'cut') {
        continue;
      }
      const x = chart.valToPos(since(event.jobClockMicros), 'x', true);
      if (x < bbox.left || x > bbox.left + bbox.width) {
        continue;
      }
      const scale = devicePixelRatio;
      ctx.strokeStyle = colour(event.event === 'lost' ? '--lost' : '--soft');
      ctx.lineWidth = (event.event === 'lost' ? 2.5 : 1) * scale;
      ctx.beginPath();
      if (event.event === 'cut') {
        ctx.moveTo(x, bbox.top + bbox.height);
        ctx.lineTo(x, bbox.top + bbox.height - 9 * scale);
      } else {
        const y = bbox.top + 8 * scale;
        const half = 5 * scale;
        ctx.moveTo(x - half, y - half);
        ctx.lineTo(x + half, y + half);
        ctx.moveTo(x + half, y - half);
        ctx.lineTo(x - half, y + half);
      }
      ctx.stroke();
    }
    ctx.restore();
  }]}});

  function chart(id, series, unit, plugins, data) {
    const place = at(id);
    const width = Math.max(200, place.clientWidth);
    if (charts[id] && charts[id].width !== width) {
      charts[id].setSize({width, height: 200});
    }
    if (!charts[id]) {
      charts[id] = new uPlot({width, height: 200, cursor: {show: false}, legend: {show: false}, scales: {x: {time: false,
        range: (self, min, max) => [min, max > min ? max : min + 1]}, y: {range: (self, min, max) => [0, max > 0
        ? max * 1.08 : 1]}}, axes: axes(unit), series: [{}, ...series()], plugins: plugins ? [plugins()] : []}, data, place);
    } else {
      charts[id].setData(data);
    }
  }

  function showCharts() {
    const now = status.seconds;
    const steps = events.filter(event => event.event === 'progress');
    if (steps.length > 0) {
      chart('chart-steps', () => [{stroke: colour('--running'), width: 2, points: {show: false}},
        {stroke: colour('--back'), width: 2, dash: [2, 4], points: {show: false}}], value => value, marks,
      [[0, ...steps.map(event => since(event.jobClockMicros)), now], [0, ...steps.map(event => event.greatestStep),
        status.greatestStep], [0, ...steps.map(event => event.leastStep), status.leastStep]]);
      at('chart-steps').setAttribute('aria-label', 'steps over time: the slowest rank is in step ' + status.leastStep
        + ', the fastest in step ' + status.greatestStep + ', after ' + length(now) + '; '
        + many(status.losses, 'loss', 'losses'));
    }
    if (samples.length > 0) {
      chart('chart-log', () => [{stroke: colour('--running'), width: 2, fill: colour('--running') + '22',
        points: {show: false}}], bytes, null, [samples.map(one => one[0]), samples.map(one => one[1])]);
      at('chart-log').setAttribute('aria-label', 'log in use over time: now ' + bytes(samples.at(-1)[1]) + ', at most '
        + bytes(Math.max(...samples.map(one => one[1]))));
    }
    const cuts = events.filter(event => event.event === 'cut');
    if (cuts.length > 0) {
      const points = (stroke, fill) => ({stroke, width: 0, paths: () => null, points: {show: true, size: 7, stroke, fill}});
      chart('chart-cuts', () => [points(colour('--running'), colour('--running')), points(colour('--back'),
        colour('--ground'))], millis, null, [cuts.map(event => since(event.jobClockMicros)),
        cuts.map(event => event.blockedNanos / 1e6), cuts.map(event => event.parityNanos / 1e6)]);
      at('chart-cuts').setAttribute('aria-label', 'time of checkpoints: the last one held ranks up for '
        + millis(cuts.at(-1).blockedNanos / 1e6) + ', its parity took ' + millis(cuts.at(-1).parityNanos / 1e6));
    }
  }

  function forgetCharts() {
    for (const id of Object.keys(charts)) {
      charts[id].destroy();
      delete charts[id];
    }
    if (status) {
      showCharts();
    }
  }

  /* --- What comes */

  function show() {
    showOutcome();
    showFacts();
    showHosts();
    showMembers();
    const newest = lastNumber + ' ' + at('all-events').checked + ' ' + ended;
    if (newest !== drawn) {
      drawn = newest;
      showRecoveries();
      showEvents();
    }
    showCharts();
  }

  function announce(event) {
    if (event.event === 'lost') {
      lostUntil.set(event.member, performance.now() + SEEN_MILLIS);
      setTimeout(showHosts, SEEN_MILLIS + 50);
      text('announcement', nameOf(event.member) + ' is lost: ' + event.text);
    } else if (event.event === 'recovered') {
      text('announcement', nameOf(event.member) + ' is back');
    } else if (event.event === 'host-lost') {
      text('announcement', 'a host is lost: ' + event.text);
    }
  }

  function take(more) {
    const known = lastNumber >= 0;
    for (const event of more) {
      if (event.number > lastNumber) {
        lastNumber = event.number;
        events.push(event);
        if (known && status) {
          announce(event);
        }
      }
    }
    if (events.length > MOST_EVENTS) {
      events = events.filter((event, i) => i > events.length - MOST_EVENTS || event.event !== 'progress'
        && event.event !== 'member' && i > events.length - 2 * MOST_EVENTS);
    }
  }

  function sample() {
    const log = logBytes();
    if (log !== null && (samples.length === 0 || status.seconds > samples.at(-1)[0])) {
      samples.push([status.seconds, log]);
      if (samples.length > MOST_SAMPLES) {
        samples = samples.filter((one, i) => i % 2 === 0);
      }
    }
  }

  function connection(words, isLost) {
    text('connection', words);
    at('connection').classList.toggle('lost', isLost);
  }

  function listen() {
    const source = new EventSource('events');
    source.addEventListener('events', message => {
      take(JSON.parse(message.data));
    });
    source.addEventListener('status', message => {
      failures = 0;
      status = JSON.parse(message.data);
      sample();
      connection('live', false);
      show();
    });
    source.addEventListener('end', () => {
      ended = true;
      source.close();
      show();
      const over = status.outcome !== 'running';
      connection(over ? 'The job has ended: ' + status.outcome + (status.message ? ': ' + status.message : '')
        + '. This page keeps what was seen last.' : 'The launcher tells nothing more. This page keeps what was seen last.',
      !over);
      document.body.dataset.ended = 'yes';
    });
    source.onerror = () => {
      if (ended) {
        return;
      }
      failures++;
      const gone = source.readyState === EventSource.CLOSED;
      connection(gone ? 'The launcher does not answer any more: the job has ended, or was killed. ./ftrma why tells. '
        + 'This page keeps what was seen last.' : 'The launcher does not answer; trying again (' + failures + ').', true);
    };
  }

  async function checkpoint() {
    at('checkpoint').disabled = true;
    text('checkpoint-answer', 'asking');
    try {
      const answer = await fetch('checkpoint', {method: 'POST'});
      tellAnswer(answer.headers.get('Content-Type').startsWith('application/json') ? await answer.json()
        : {state: 'refused', text: await answer.text()});
    } catch (e) {
      tellAnswer({state: 'refused', text: 'the launcher does not answer'});
    }
  }

  function begin() {
    // The link has the token, which is in a cookie now: it need not stay in the address.
    history.replaceState(null, '', location.pathname);
    fill(at('legend'), LEGEND.map(([state, words]) => make('li', {class: LOOKS[state][0]}, glyph(state), words)));
    fill(at('phase-legend'), PHASES.map(phase => make('li', null, draw('svg', {viewBox: '0 0 14 14', width: 14, height: 14,
      'aria-hidden': 'true'}, draw('rect', {class: phase, width: 14, height: 14})), phase)));
    at('checkpoint').addEventListener('click', checkpoint);
    at('all-events').addEventListener('change', () => status && show());
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forgetCharts);
    addEventListener('resize', () => status && showCharts());
    listen();
  }

  begin();
}());
