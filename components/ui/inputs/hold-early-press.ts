/**
 * A script for the head of every page. If a form is submitted before the scripts of the page have
 * arrived, the browser would send it itself and lose what was entered. This notes the press at the
 * form instead, which repeats it.
 */
export const holdEarlyPress = `addEventListener('submit', function (event) {
  var form = event.target;
  if (form.dataset.hydrated !== 'false') return;
  event.preventDefault();
  event.stopImmediatePropagation();
  form.dataset.pressed = '';
}, true);`;
