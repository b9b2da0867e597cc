/** Dispatched at the window once the page reacts to presses. */
export const hydratedEvent = 'hydrated';

/**
 * A script for the head of every page. Before the scripts of the page have arrived, a button does
 * nothing, or the browser submits the form itself and loses what was entered. This notes the press
 * instead, dims the button, and repeats the press once the page is hydrated. Only the last press is
 * repeated, and none if a link was pressed after it: links work without scripts.
 *
 * React could repeat the press while it hydrates, so the event is kept from it. The button is
 * dimmed by an animation, because React compares its attributes with those that the server sent.
 */
export const replayEarlyClick = `(function () {
  var button, detail, dimming;
  addEventListener('click', function (event) {
    var pressed = event.target.closest('[data-hydrated=false] :is(a, button)');
    if (!pressed) return;
    if (button) dimming.cancel();
    button = undefined;
    if (pressed.localName === 'a') return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button = pressed;
    detail = event.detail;
    dimming = button.animate({ opacity: 0.6, cursor: 'progress' }, { duration: 0, fill: 'forwards' });
  }, true);
  addEventListener('${hydratedEvent}', function () {
    if (!button) return;
    dimming.cancel();
    button.dispatchEvent(new MouseEvent('click', {
      bubbles: true, cancelable: true, composed: true, view: window, detail: detail
    }));
    button = undefined;
  });
})();`;
