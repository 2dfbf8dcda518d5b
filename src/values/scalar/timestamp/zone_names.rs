//! The names of zones that Ruby knows, by their offset.
//!
//! Abbreviations that several zones share have the meaning that Ruby gives them.

/// Seconds from UTC, and the names of the zones that have this offset.
const ZONES: &[(i32, &str)] = &[
    (-43_200, "aoe,dateline,idlw,y"),
    (-39_600, "nt,nut,samoa,sst,x"),
    (-36_000, "ahst,ckt,hast,hawaiian,hst,taht,w"),
    (-32_400, "akst,alaskan,gamt,hadt,hdt,v,yst"),
    (-30_600, "mart"),
    (-28_800, "akdt,pacific,pst,u,ydt"),
    (-25_200, "mountain,mst,pdt,t,us mountain"),
    (-21_600, "canada central,central,central america,cst,east,galt,mdt,mexico,s"),
    (-18_000, "act,cdt,cist,cot,easst,eastern,ect,est,pet,r,sa pacific,us eastern"),
    (-14_400, "ast,atlantic,bot,cidst,clt,edt,fkt,gyt,pacific sa,q,sa western,vet"),
    (-12_600, "newfoundland"),
    (-10_800, "adt,art,brt,clst,e. south america,fkst,gft,greenland,p,pmst,pyst,rott,sa eastern,srt,uyt,warst,wgt"),
    (-9_000, "nst"),
    (-7_200, "at,brst,fnt,o,pmdt,uyst,wgst"),
    (-5_400, "ndt"),
    (-3_600, "azores,azot,cape verde,cvt,egt,n"),
    (0, "azost,egst,gmt,greenwich,ut,utc,wet,wt,z"),
    (
        3_600,
        "a,bst,central europe,central european,cet,fwt,met,mewt,mez,romance,swt,w. central africa,w. europe\
         ,wat,west",
    ),
    (7_200, "b,cat,cest,e. europe,eet,egypt,fle,fst,gtb,jerusalem,mest,mesz,sast,south africa,wast"),
    (10_800, "arab,arabic,bt,c,e. africa,eat,eest,fet,idt,msk,russian,syot,trt"),
    (12_600, "iran,irst"),
    (14_400, "arabian,azt,caucasus,d,get,kuyt,msd,mut,ret,samt,sct"),
    (16_200, "afghanistan,aft,irdt"),
    (18_000, "aqtt,azst,e,ekaterinburg,mawt,mvt,orat,pkt,tft,tjt,tmt,uzt,west asia,yekt"),
    (19_800, "india,ist"),
    (20_700, "nepal,npt"),
    (21_600, "almt,btt,central asia,f,iot,kgt,n. central asia,omst,qyzt,sri lanka,vost,yekst"),
    (23_400, "cct,mmt,myanmar"),
    (25_200, "cxt,davt,g,hovt,ict,krat,north asia,novst,novt,omsst,se asia,wib"),
    (
        28_800,
        "awst,bnt,cast,china,chot,h,hkt,hovst,irkt,krast,malay peninsula,myt,north asia east,pht,sgt,taipei\
         ,ulat,w. australia,wadt,wita",
    ),
    (31_500, "acwst"),
    (32_400, "awdt,chost,i,irkst,jst,korea,kst,pwt,tlt,tokyo,ulast,wit,yakt,yakutsk"),
    (34_200, "acst,aus central,cen. australia"),
    (
        36_000,
        "aest,aus eastern,chst,chut,ddut,e. australia,gst,k,pgt,tasmania,vladivostok,vlat,west pacific,yakst\
         ,yapt",
    ),
    (37_800, "acdt,lhst"),
    (39_600, "aedt,central pacific,eadt,kost,l,lhdt,magt,nct,nft,pont,sakt,sbt,sret,vlast,vut"),
    (43_200, "anast,anat,fiji,fjt,gilt,idle,m,magst,mht,new zealand,nfdt,nrt,nzst,nzt,petst,pett,tvt,wakt,wft"),
    (45_900, "chast"),
    (46_800, "fjst,nzdt,phot,tkt,tonga,tot"),
    (49_500, "chadt"),
    (50_400, "lint,tost"),
];

/// The offset in seconds of a zone, whose name is in lower case and has single spaces.
pub(super) fn offset(name: &str) -> Option<i32> {
    ZONES.iter().find(|(_, names)| names.split(',').any(|known| known == name)).map(|(offset, _)| *offset)
}
