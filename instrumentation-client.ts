// Next runs this in the browser before React takes the page over.
import { addMissingMethods } from '#components/ui/rendering/add-missing-methods.ts';
import { surviveTranslation } from '#components/ui/rendering/survive-translation.ts';

addMissingMethods();
surviveTranslation();
